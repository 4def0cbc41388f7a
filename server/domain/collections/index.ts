/** Collections of an account's generations, of which the favourites are one. */
export {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  MAX_COLLECTION_NAME_LENGTH,
  renameCollection,
} from "./collections";
export { listCovers, listFavouriteIds, listItems, setItems } from "./items";
