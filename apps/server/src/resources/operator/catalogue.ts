import { ApiError, type OperatorContract, refuse } from '@broadside/core';
import { checkCuratedTerms, checkPublisher } from '@broadside/core/rules';
import type { Context, HandlersOf } from '../../pipeline/context.ts';
import { findCuratedCategory } from '../curated-categories/handlers.ts';
import { named } from '../publishers/handlers.ts';
import type { PublisherRow } from '../publishers/store.ts';
import { findUser } from '../users/find.ts';

type Family = 'publishers' | 'curated_categories';

async function nameOne(context: Context, row: PublisherRow) {
  const [publisher] = await named(context, [row]);
  if (publisher) return publisher;
  throw new ApiError({ error: 'USER_NOT_FOUND', parameter: 'user_id', value: row.id });
}

/** The operator's procedures of publishers and curated categories. */
export const adminCatalogue: Pick<HandlersOf<OperatorContract['admin']>, Family> = {
  publishers: {
    async set(context, { environment, user_id, ...terms }) {
      const { world, actor } = context;
      await findUser(world, user_id, 'user_id');
      refuse(checkPublisher(terms));
      const { catalogue } = world.ads[environment];
      return nameOne(context, await catalogue.write(actor, (writer) => writer.setPublisher(user_id, terms)));
    },
    async remove(context, { environment, user_id }) {
      const { catalogue } = context.world.ads[environment];
      const removed = await catalogue.write(context.actor, (writer) => writer.removePublisher(user_id));
      if (removed) return nameOne(context, removed);
      const message = 'The user is no publisher';
      throw new ApiError({ error: 'NOT_FOUND', parameter: 'user_id', value: user_id, message });
    },
    async list(context, { environment, count }) {
      const page = await context.world.ads[environment].catalogue.publishers({ count });
      return named(context, page?.data ?? []);
    },
  },

  curated_categories: {
    create({ world, actor }, { environment, ...terms }) {
      return world.ads[environment].catalogue.write(actor, async (writer) => {
        refuse(checkCuratedTerms(terms, await writer.publishersAmong(terms.publisher_user_ids)));
        return writer.createCuratedCategory(terms);
      });
    },
    update({ world, actor }, { environment, curated_category_id, ...changes }) {
      return world.ads[environment].catalogue.write(actor, async (writer) => {
        const before = await findCuratedCategory(writer, curated_category_id);
        refuse(checkCuratedTerms(changes, await writer.publishersAmong(changes.publisher_user_ids ?? [])));
        return writer.updateCuratedCategory(before, {
          name: changes.name ?? before.name,
          description: changes.description ?? before.description,
          country_codes: changes.country_codes ?? before.country_codes,
          publisher_user_ids: changes.publisher_user_ids ?? before.publisher_user_ids,
          videos_monetized_in_last_thirty_days:
            changes.videos_monetized_in_last_thirty_days ?? before.videos_monetized_in_last_thirty_days,
        });
      });
    },
    delete({ world, actor }, { environment, curated_category_id }) {
      return world.ads[environment].catalogue.write(actor, async (writer) => {
        const before = await findCuratedCategory(writer, curated_category_id);
        return writer.updateCuratedCategory(before, { deleted: true });
      });
    },
  },
};
