import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';

export const features: HandlersOf<Contract['features']> = {
  async list({ account }, { feature_keys }) {
    const held = await account.features();
    return feature_keys ? held.filter((key) => feature_keys.includes(key)) : held;
  },

  add({ account, actor }, { feature_keys }) {
    return account.write(actor, (writer) => writer.addFeatures(feature_keys));
  },

  remove({ account, actor }, { feature_keys }) {
    return account.write(actor, (writer) => writer.removeFeatures(feature_keys));
  },
};
