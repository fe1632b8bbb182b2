/** Rules on media creatives: which media a line item can show, and their landing URL. */
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import type { AccountMedia, CreativeType } from '../account-media/entity.ts';
import type { LineItem } from '../line-items/entity.ts';

const isVideo = (type: CreativeType) => type === 'PREROLL' || type === 'VAST_PREROLL';

/** Returns the landing URL of a creative; `undefined` for videos, which lead where their pre-roll call to action says. */
export function landingUrlOf(media: Pick<AccountMedia, 'creative_type'>, given: string | undefined): string | null {
  return isVideo(media.creative_type) ? null : (given ?? null);
}

/** The parts of a new media creative. */
interface Parts {
  readonly lineItem: Pick<LineItem, 'id' | 'objective' | 'product_type'>;
  readonly media: Pick<AccountMedia, 'id' | 'creative_type'>;
  readonly landing_url: string | undefined;
  /** The id of the media creative with which the line item already shows these media. */
  readonly existing: string | undefined;
}

/** An issue of a new media creative. */
export type MediaCreativeIssue = Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_PARAMETER' | 'MISSING_PARAMETER'>;

/**
 * Checks a new media creative (specification C, Media creatives). Our choices: a PREROLL_VIEWS line item shows videos only
 * and the others images only, and a line item cannot show the same media twice.
 */
export function checkMediaCreative({ lineItem, media, landing_url, existing }: Parts): MediaCreativeIssue[] {
  const { objective, product_type } = lineItem;
  if (product_type !== 'MEDIA') {
    const message = `Expected a line item of product type MEDIA, got one of ${product_type} for line_item_id`;
    return [{ error: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', value: lineItem.id, message }];
  }
  const issues: MediaCreativeIssue[] = [];
  const isPreroll = objective === 'PREROLL_VIEWS';
  if (isVideo(media.creative_type) !== isPreroll) {
    const expected = isPreroll ? 'a PREROLL video' : 'a display image';
    issues.push(
      invalid(
        media.id,
        `Expected ${expected} for objective ${objective}, got ${media.creative_type} for account_media_id`,
      ),
    );
  } else if (existing !== undefined) {
    issues.push(invalid(media.id, `The line item shows these media already, as media creative ${existing}`));
  }
  if (objective === 'WEBSITE_CLICKS' && landing_url === undefined) {
    issues.push(missingParameter('landing_url', 'with objective WEBSITE_CLICKS'));
  }
  return issues;
}

function invalid(value: string, message: string): Issue<'INVALID_PARAMETER'> {
  return invalidParameter('account_media_id', value, message);
}
