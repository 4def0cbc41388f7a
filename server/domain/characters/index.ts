/** Characters: subjects that an account trains from pictures once and names in later inputs. Their drafts, trainings and use. */
export { listBaseModels } from "./base-model";
export { getCharacter, listCharacters, parseCharacterId, serializeCharacter, statuses } from "./character";
export { getDisplayedCharacter, listDisplayedCharacters, serializeDisplayed } from "./displayed-character";
export { createCharacter, deleteCharacter, updateCharacter } from "./edit-character";
export type { CharactersHub } from "./hub";
export { CharacterChanges, CharacterInput, StartInput } from "./input";
export { findTriggerWord, listUsable } from "./list-usable";
export { offerResume } from "./resume-state";
export { cancelCharacter, listTrainings, resumeCharacter, serializeTraining, startCharacter } from "./training";
