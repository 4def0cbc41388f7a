import { accountTool } from "./tools/account";
import { cancelGenerationTool } from "./tools/cancel-generation";
import { describeModelTool } from "./tools/describe-model";
import { estimateTool } from "./tools/estimate";
import { generateTool } from "./tools/generate";
import { getGenerationTool } from "./tools/get-generation";
import { listModelsTool } from "./tools/list-models";
import { uploadFileTool } from "./tools/upload-file";

/** The tools of the MCP server, in the order in which an agent needs them. */
export const tools = [
  listModelsTool,
  describeModelTool,
  estimateTool,
  generateTool,
  getGenerationTool,
  cancelGenerationTool,
  uploadFileTool,
  accountTool,
];
