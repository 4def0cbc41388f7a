// Words that look like a verb in the third person but are none.
const OTHER_WORDS = new Set(
  (
    "Accounts Across Addresses Always As Attempts Buttons Bytes Checkboxes Clients Codes Columns Deliveries Errors Events " +
    "Files Functions Generations Headers Instructions Its Keys Less Messages Models Options Pages Parameters Pictures " +
    "Postgres Programs Settings Statuses Tests This Thus Unless Users Warnings Webhooks Words Workers"
  ).split(" "),
);
const THIRD_PERSON = /^[A-Z][a-z]*s$/;

/**
 * Requires the docstring of an exported function to begin with a verb in the third person: "Returns …", "Inserts …".
 *
 * @type {import("eslint").Rule.RuleModule}
 */
export const docstringVerb = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { verb: 'Begin with a verb in the third person, such as "Returns", instead of "{{word}}".' },
  },
  create(context) {
    const check = (node) => {
      if (!declaresFunction(node.declaration)) return;
      const comment = context.sourceCode.getCommentsBefore(node).at(-1);
      if (comment?.type !== "Block" || !comment.value.startsWith("*")) return;
      const word = /[^\s*]+/.exec(comment.value)?.[0] ?? "";
      if (THIRD_PERSON.test(word) && !OTHER_WORDS.has(word)) return;
      context.report({ loc: comment.loc, messageId: "verb", data: { word } });
    };
    return { ExportNamedDeclaration: check, ExportDefaultDeclaration: check };
  },
};

const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "TSDeclareFunction",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

function declaresFunction(declaration) {
  if (declaration?.type !== "VariableDeclaration") return FUNCTIONS.has(declaration?.type);
  return declaration.declarations.some(({ init }) => FUNCTIONS.has(init?.type));
}
