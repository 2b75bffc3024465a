/** What is said of values in general: generated with the contract. */

/** A JSON value. In an answer it is `undefined` if there is none. */
export type Json = unknown;

/** Milliseconds since the Unix epoch. */
export type Timestamp = number;

type MayBeLeftOut<T> = unknown extends T ? true : T extends readonly unknown[] ? true : false;

/** A value as it is given to a function: lists and JSON values may be left out in it. */
export type Given<T> = unknown extends T
  ? T
  : T extends string | number | boolean | Uint8Array | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : { [K in keyof T as MayBeLeftOut<T[K]> extends true ? K : never]?: Given<T[K]> } & {
          [K in keyof T as MayBeLeftOut<T[K]> extends true ? never : K]: Given<T[K]>;
        };
