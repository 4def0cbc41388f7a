/** One value for each owner, made on first use and forgotten with it. */
export function memoizePer<Owner extends object, Value>(create: (owner: Owner) => Value): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>();
  return (owner) => {
    let value = values.get(owner);
    if (value === undefined) values.set(owner, (value = create(owner)));
    return value;
  };
}
