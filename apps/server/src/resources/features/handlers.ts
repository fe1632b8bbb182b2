import type { Contract } from '@broadside/core';
import { chain } from '../../awaitable.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { addFeatures, featuresOf, removeFeatures } from './features.ts';

export const handlers: HandlersOf<Contract['features']> = {
  list: ({ account }, { feature_keys }) =>
    chain(featuresOf(account), (held) => (feature_keys ? held.filter((key) => feature_keys.includes(key)) : held)),

  add: ({ account, actor }, { feature_keys }) => account.write(actor, (writer) => addFeatures(writer, feature_keys)),

  remove: ({ account, actor }, { feature_keys }) =>
    account.write(actor, (writer) => removeFeatures(writer, feature_keys)),
};
