/** A calendar of public events in the years 2025 to 2028. */
import type { EventType } from '../../resources/targeting-options/enums.ts';
import { eventTypes } from '../../resources/targeting-options/enums.ts';
import { derivedWord } from './derived-value.ts';
import { daysOf } from './event-days.ts';
import { entriesOf, OptionTable } from './option-table.ts';

/** Type; country, or an asterisk for everywhere; days; name, with the value where it is published. */
const EVENTS = `
HOLIDAY; *; 01-01; New Year's Day
HOLIDAY; *; 12-24/12-26; Christmas
HOLIDAY; *; 12-31/01-01; New Year's Eve
HOLIDAY; *; easter-2; Good Friday
HOLIDAY; *; easter; Easter Sunday
HOLIDAY; US; 1 3rd mon; Martin Luther King Jr. Day
HOLIDAY; US; 2 3rd mon; Presidents' Day
HOLIDAY; US; 5 last mon; Memorial Day
HOLIDAY; US; 06-19; Juneteenth
HOLIDAY; US; 07-04; Independence Day
HOLIDAY; US; 9 1st mon; Labor Day
HOLIDAY; US; 11 4th thu; Thanksgiving
HOLIDAY; CA; 07-01; Canada Day
HOLIDAY; CA; 10 2nd mon; Thanksgiving
HOLIDAY; GB; 5 1st mon; Early May Bank Holiday
HOLIDAY; GB; 8 last mon; Summer Bank Holiday
HOLIDAY; GB; 12-26; Boxing Day
HOLIDAY; AU; 01-26; Australia Day
HOLIDAY; AU; 04-25; Anzac Day
HOLIDAY; IN; 01-26; Republic Day
HOLIDAY; IN; 08-15; Independence Day
HOLIDAY; BR; 09-07; Independence Day
HOLIDAY; PT; 06-10; Portugal Day
HOLIDAY; ES; 10-12; National Day
HOLIDAY; MX; 09-16; Independence Day
HOLIDAY; MX; 11-01/11-02; Day of the Dead
HOLIDAY; AR; 05-25; May Revolution Day
HOLIDAY; FR; 07-14; Bastille Day
HOLIDAY; DE; 10-03; Day of German Unity
HOLIDAY; AT; 10-26; National Day
HOLIDAY; IT; 06-02; Republic Day
HOLIDAY; TR; 10-29; Republic Day
HOLIDAY; KZ; 03-21/03-23; Nauryz
HOLIDAY; MA; 11-18; Independence Day
HOLIDAY; EG; 07-23; Revolution Day
HOLIDAY; JP; 04-29/05-05; Golden Week
HOLIDAY; KR; 10-09; Hangul Day
HOLIDAY; IE; 03-17; Saint Patrick's Day
HOLIDAY; NL; 04-27; King's Day
RECURRING; *; 02-14; Valentine's Day
RECURRING; *; 03-08; International Women's Day
RECURRING; *; 03-20; International Day of Happiness
RECURRING; *; 03-21; World Poetry Day
RECURRING; *; 04-22; Earth Day
RECURRING; *; 04-23; World Book Day
RECURRING; *; 06-05; World Environment Day
RECURRING; *; 06-21; World Music Day
RECURRING; *; 09-08; International Literacy Day
RECURRING; *; 10-01; International Coffee Day
RECURRING; *; 10-31; Halloween
RECURRING; US; 5 2nd sun; Mother's Day
RECURRING; US; 6 3rd sun; Father's Day
RECURRING; US; 11 4th thu+1; Black Friday
RECURRING; GB; easter-21; Mothering Sunday
RECURRING; GB; 11-05; Bonfire Night
SPORTS; US; 2025-02-09; Super Bowl LIX
SPORTS; US; 2026-02-08; Super Bowl LX
SPORTS; US; 2027-02-14; Super Bowl LXI
SPORTS; FR; 2025-07-05/2025-07-27; Tour de France
SPORTS; FR; 2026-07-04/2026-07-26; Tour de France
SPORTS; GB; 2025-06-30/2025-07-13; Wimbledon
SPORTS; GB; 2026-06-29/2026-07-12; Wimbledon
SPORTS; IT; 2026-02-06/2026-02-22; Olympic Winter Games
SPORTS; *; 2026-06-11/2026-07-19; World Cup =1ex
SPORTS; BR; 2027-06-24/2027-07-25; Women's World Cup
SPORTS; US; 2028-07-14/2028-07-30; Olympic Games
SPORTS; GB; 2028-06-09/2028-07-09; European Championship
SPORTS; US; 5 1st sat; Kentucky Derby
SPORTS; US; 4 3rd mon; Boston Marathon
SPORTS; GB; 4 last sun; London Marathon
SPORTS; US; 11 1st sun; New York City Marathon
MUSIC_AND_ENTERTAINMENT; US; 2025-03-02; Academy Awards
MUSIC_AND_ENTERTAINMENT; US; 2026-03-15; Academy Awards
MUSIC_AND_ENTERTAINMENT; US; 2025-02-02; Grammy Awards
MUSIC_AND_ENTERTAINMENT; US; 2026-02-01; Grammy Awards
MUSIC_AND_ENTERTAINMENT; FR; 2025-05-13/2025-05-24; Cannes Film Festival
MUSIC_AND_ENTERTAINMENT; FR; 2026-05-12/2026-05-23; Cannes Film Festival
MUSIC_AND_ENTERTAINMENT; DE; 2025-02-13/2025-02-23; Berlin Film Festival
MUSIC_AND_ENTERTAINMENT; DE; 2026-02-12/2026-02-22; Berlin Film Festival
MUSIC_AND_ENTERTAINMENT; BR; easter-47; Carnival
CONFERENCE; US; 2025-01-07/2025-01-10; Consumer Electronics Show
CONFERENCE; US; 2026-01-06/2026-01-09; Consumer Electronics Show
CONFERENCE; ES; 2025-03-03/2025-03-06; Mobile World Congress
CONFERENCE; ES; 2026-03-02/2026-03-05; Mobile World Congress
CONFERENCE; US; 2025-03-07/2025-03-15; South by Southwest
CONFERENCE; US; 2026-03-12/2026-03-18; South by Southwest
CONFERENCE; DE; 2025-10-15/2025-10-19; Frankfurt Book Fair
CONFERENCE; DE; 2026-10-07/2026-10-11; Frankfurt Book Fair
POLITICS; US; 2026-11-03; Midterm elections
POLITICS; US; 2028-11-07; Presidential election
POLITICS; *; 09-15; International Day of Democracy
POLITICS; *; 10-24; United Nations Day
OTHER; *; 3 last sat; Earth Hour
OTHER; US; 11 1st sun; End of daylight saving time
OTHER; *; 10-04/10-10; World Space Week
`;

const YEARS = [2025, 2026, 2027, 2028];

/** An event. Its times are those of the calendar, as if every place were on UTC. */
export interface EventOption {
  /** Includes the year. */
  readonly name: string;
  readonly targeting_type: 'EVENT';
  readonly targeting_value: string;
  readonly event_type: EventType;
  readonly start_time: string;
  readonly end_time: string;
  /** Null for worldwide events. */
  readonly country_code: string | null;
}

function* eventsOf(entry: string): Generator<EventOption> {
  const [word, country = '', rule = '', rest = ''] = entry.split(';').map((field) => field.trim());
  const event_type = eventTypes.find((known) => known === word);
  if (!event_type) throw new TypeError(`${word} is not a type of event`);
  const [title = rest, value] = rest.split(' =');
  for (const year of YEARS) {
    const days = daysOf(rule, year);
    if (!days) continue;
    const [first, last] = days;
    yield {
      name: `${title} ${year}`,
      targeting_type: 'EVENT',
      targeting_value: value ?? derivedWord(`EVENT/${country}/${title}/${first}`),
      event_type,
      start_time: `${first}T00:00:00Z`,
      end_time: `${last}T23:59:59Z`,
      country_code: country === '*' ? null : country,
    };
  }
}

/** Ordered by start. */
export const events: OptionTable<EventOption> = new OptionTable(() =>
  entriesOf(EVENTS)
    .flatMap((entry) => [...eventsOf(entry)])
    .sort((one, other) => (one.start_time < other.start_time ? -1 : one.start_time > other.start_time ? 1 : 0)),
);
