// Rules of this project that are selectors over the syntax. oxlint loads them as its plugin `hub`.

// Exported functions are named with a verb and an object. Terms of the glossary, such as `settle` and `sweep`, stand alone.
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

const controls = [
  {
    selector:
      "JSXOpeningElement[name.name=/^(input|textarea|select)$/]" +
      ":not(:has(JSXAttribute[name.name='type'] > Literal[value=/^(hidden|file)$/]))",
    message: "Use app/ui/controls, which keep what is entered before the page's script is there.",
  },
];

/** Returns a rule that reports what each selector matches, with its message. */
const restrictSyntax = (restrictions) => ({
  create: (context) =>
    Object.fromEntries(
      restrictions.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
});

export default {
  meta: { name: "hub" },
  rules: {
    language: restrictSyntax(language),
    "grouped-spreads": restrictSyntax(groupedSpreads),
    controls: restrictSyntax(controls),
  },
};
