import type { OperatorContract } from '@broadside/core';
import { checkCuratedTerms } from '@broadside/core/resources/curated-categories';
import { checkPublisher } from '@broadside/core/resources/publishers';
import type { Context, HandlersOf } from '../../pipeline/context.ts';
import { createCuratedCategory, curatedCategory } from '../curated-categories/find.ts';
import {
  namePublishers,
  type PublisherRow,
  publishersAmong,
  publishersPage,
  removePublisher,
  setPublisher,
} from '../publishers/find.ts';
import { findUser } from '../users/find.ts';

type Family = 'publishers' | 'curated_categories';

async function nameOne({ world }: Context, row: PublisherRow) {
  const [named] = await namePublishers(world, [row]);
  if (named) return named;
  throw new TypeError(`the publisher ${row.id} is no user`);
}

/** The operator's procedures for publishers and curated categories. */
export const adminCatalogue: Pick<HandlersOf<OperatorContract['admin']>, Family> = {
  publishers: {
    async set(context, { environment, user_id, ...terms }) {
      const { world, actor } = context;
      await findUser(context.reject, world, user_id, 'user_id');
      context.reject.check(checkPublisher(terms));
      const { catalogue } = world.ads[environment];
      return nameOne(context, await catalogue.write(actor, (writer) => setPublisher(writer, user_id, terms)));
    },
    async remove(context, { environment, user_id }) {
      const { catalogue } = context.world.ads[environment];
      return nameOne(
        context,
        await catalogue.write(context.actor, (writer) => removePublisher(context.reject, writer, user_id)),
      );
    },
    list({ world }, { environment, ...asked }) {
      return publishersPage(world, world.ads[environment].catalogue, asked);
    },
  },

  curated_categories: {
    create({ world, actor, reject }, { environment, ...terms }) {
      return world.ads[environment].catalogue.write(actor, async (writer) => {
        reject.check(checkCuratedTerms(terms, await publishersAmong(writer, terms.publisher_user_ids)));
        return createCuratedCategory(writer, terms);
      });
    },
    update({ world, actor, reject }, { environment, curated_category_id, ...changes }) {
      return world.ads[environment].catalogue.write(actor, async (writer) => {
        const before = await writer.of(curatedCategory).find(reject, curated_category_id);
        reject.check(checkCuratedTerms(changes, await publishersAmong(writer, changes.publisher_user_ids ?? [])));
        return writer.of(curatedCategory).update(before, {
          name: changes.name ?? before.name,
          description: changes.description ?? before.description,
          country_codes: changes.country_codes ?? before.country_codes,
          publisher_user_ids: changes.publisher_user_ids ?? before.publisher_user_ids,
          videos_monetized_in_last_thirty_days:
            changes.videos_monetized_in_last_thirty_days ?? before.videos_monetized_in_last_thirty_days,
        });
      });
    },
    delete({ world, actor, reject }, { environment, curated_category_id }) {
      return world.ads[environment].catalogue.write(actor, (writer) =>
        writer.of(curatedCategory).remove(reject, curated_category_id),
      );
    },
  },
};
