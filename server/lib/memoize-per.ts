/** Returns a function that creates one value for each owner, on first use. The value lives as long as its owner. */
export function memoizePer<Owner extends object, Value>(create: (owner: Owner) => Value): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>();
  return (owner) => {
    let value = values.get(owner);
    if (value === undefined) values.set(owner, (value = create(owner)));
    return value;
  };
}
