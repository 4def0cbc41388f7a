import tseslint from "typescript-eslint";

// Exported functions are a verb and an object. Terms of the glossary, such as `settle` and `sweep`, stand alone.
const bareVerbs =
  "^(add|apply|ask|begin|bound|bring|build|call|change|check|choose|connect|create|delete|do|drop|end|fetch|find|flood|" +
  "get|give|go|handle|hold|judge|keep|load|look|make|move|mutate|offer|open|parse|pick|print|process|put|read|record|" +
  "remove|repeat|run|save|say|send|set|show|start|stop|subscribe|take|tell|try|turn|update|use|wait|watch|work|write)$";
const bareVerbMessage = "Name what the verb acts on, such as recordAttempt.";

const language = [
  {
    selector: "VariableDeclarator > Identifier.id[name=/^(MOST|LEAST|LONGEST)(_|$)/]",
    message: "Name limits MAX_… and MIN_….",
  },
  {
    selector:
      "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] MemberExpression[object.name='AbortSignal'][property.name='timeout']",
    message: "Use withTimeout(): such a time-out can be collected before it fires.",
  },
  {
    selector: ":matches(TSPropertySignature[key.name='of'], JSXAttribute[name.name='of'])",
    message: "Name the member for what it holds.",
  },
  ...["FunctionDeclaration", "VariableDeclaration > VariableDeclarator"].map((declaration) => ({
    selector: `ExportNamedDeclaration > ${declaration} > Identifier.id[name=/${bareVerbs}/]`,
    message: bareVerbMessage,
  })),
  { selector: `ExportSpecifier[exported.name=/${bareVerbs}/]`, message: bareVerbMessage },
];

// A spread of a literal only groups what could be written member by member.
const groupedSpreads = ["Object", "Array", "Call", "New"].map((kind) => ({
  selector: `${kind}Expression > SpreadElement > :matches(ObjectExpression, ArrayExpression, TSAsExpression[expression.type=/^(Object|Array)Expression$/]).argument`,
  message: "Write the members themselves, without a spread.",
}));

// All other rules are checked by oxlint (.oxlintrc.json), in a tenth of the time.
export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "**/.next",
      "dist",
      ".data",
      "prisma/client",
      // Their packages are not installed here.
      "test/agents/programs",
      "test/openai/programs",
      "next-env.d.ts",
      "**/*.mjs",
      "**/*.config.*",
      "test-*",
      "playwright-report",
      "coverage",
      "clients/typescript/src/api.ts",
      "clients/typescript/dist",
    ],
  },
  tseslint.configs.base,
  {
    rules: {
      "max-lines": ["warn", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["warn", { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 12],
      eqeqeq: "error",
      "no-console": "error",
      "no-restricted-imports": [
        "error",
        { name: "next/link", message: "Use app/ui/link, which fetches nothing ahead." },
      ],
      "no-restricted-syntax": [
        "error",
        ...language,
        ...groupedSpreads,
        {
          selector:
            "JSXOpeningElement[name.name=/^(input|textarea|select)$/]" +
            ":not(:has(JSXAttribute[name.name='type'] > Literal[value=/^(hidden|file)$/]))",
          message: "Use app/ui/controls, which keep what is entered before the page's script is there.",
        },
      ],
    },
  },
  { files: ["app/ui/link.tsx"], rules: { "no-restricted-imports": "off" } },
  { files: ["app/ui/controls.tsx"], rules: { "no-restricted-syntax": ["error", ...language, ...groupedSpreads] } },
  { files: ["**/*.test.ts", "e2e/**", "test/**"], rules: { "max-lines-per-function": "off", "max-lines": "off" } },
);
