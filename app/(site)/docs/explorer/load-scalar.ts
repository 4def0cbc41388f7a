/** The part of Scalar's browser bundle that the explorer calls. */
interface Scalar {
  createApiReference: (target: HTMLElement, configuration: object) => { destroy?: () => void };
}

// The build copies the file as it is: nothing but this page loads it, and production does without the package.
const source = () =>
  new URL("../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js", import.meta.url);

let loading: Promise<Scalar> | undefined;

/** Loads Scalar's bundle from this hub, once. Rejects if it cannot be loaded; a later call tries again. */
export function loadScalar(): Promise<Scalar> {
  loading ??= new Promise<Scalar>((resolve, reject) => {
    forbidCompiling();
    const script = document.createElement("script");
    script.src = source().pathname;
    script.onload = () => resolve((window as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error("Scalar could not be loaded."));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Makes `new Function()` throw before the browser sees it. Scalar's copy of Zod tries it once to learn whether it may
 * compile code; the page's policy forbids that too, but would count the attempt as a violation.
 */
function forbidCompiling(): void {
  window.Function = new Proxy(Function, {
    construct() {
      throw new EvalError("This page compiles no code.");
    },
  });
}
