import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "**/.next",
      "dist",
      ".data",
      "prisma/client",
      "next-env.d.ts",
      "**/*.mjs",
      "**/*.config.*",
      "test-results",
      "playwright-report",
      "coverage",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 12],
      eqeqeq: "error",
      "no-console": "error",
      "no-restricted-imports": [
        "error",
        { name: "next/link", message: "Use app/ui/link, which fetches nothing ahead." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "JSXOpeningElement[name.name=/^(input|textarea|select)$/]" +
            ":not(:has(JSXAttribute[name.name='type'] > Literal[value=/^(hidden|file)$/]))",
          message: "Use app/ui/controls, which keep what is entered before the page's script is there.",
        },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/require-await": "off",
    },
  },
  { files: ["app/ui/link.tsx"], rules: { "no-restricted-imports": "off" } },
  { files: ["app/ui/controls.tsx"], rules: { "no-restricted-syntax": "off" } },
  { files: ["**/*.test.ts", "e2e/**", "test/**"], rules: { "max-lines-per-function": "off", "max-lines": "off" } },
);
