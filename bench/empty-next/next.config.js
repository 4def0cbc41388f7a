const root = new URL("../..", import.meta.url).pathname;

export default { outputFileTracingRoot: root, turbopack: { root } };
