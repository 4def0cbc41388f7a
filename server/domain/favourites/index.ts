/** Generations that members of an account have marked with a star. */
export { listFavouriteIds, listFavourites, setFavourite } from "./favourites";
