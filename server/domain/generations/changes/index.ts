/** Tells the processes of a hub which generations have changed, so that whoever follows one reads its row at once. */
export {
  CHANGES_CHANNEL,
  type ChangeServices,
  createChangeServices,
  reportChange,
  watchChanges,
} from "./change-notices";
