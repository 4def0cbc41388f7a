/** Characters and their trainings: what an account trains once and names in later inputs. */
export { listBaseModels } from "./base-model";
export { statuses } from "./character";
export { getDisplayedCharacter, listDisplayedCharacters, serializeDisplayed } from "./displayed-character";
export { createCharacter, deleteCharacter, updateCharacter } from "./edit-character";
export { getCharacter, listCharacters, parseCharacterId } from "./find-characters";
export { CharacterChanges, CharacterInput, StartInput } from "./input";
export { listTrainings, serializeTraining } from "./list-trainings";
export { findTriggerWord, listUsable } from "./list-usable";
export { offerResume } from "./resume-state";
export { serializeCharacter } from "./serialize-character";
export { cancelCharacter, resumeCharacter, startCharacter } from "./training";
