import { prepareDataDir } from "./data-dir";

// Before the suites, whose workers would each prepare the folder.
await prepareDataDir();
