/** Inputs of a model that an account has saved under a name, for the playground. */
export { deletePreset, listPresets, MAX_PRESET_NAME_LENGTH, savePreset } from "./presets";
