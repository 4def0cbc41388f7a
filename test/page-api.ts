import { setSharedServer } from "../server/hub";
import { loadPageApi } from "../server/share-hub";

// Pages that a test renders call the modules of the test; `shareHub()` gives them a hub too.
setSharedServer({
  getHub: () => Promise.reject(new Error("call shareHub() first")),
  loadPageApi,
});
