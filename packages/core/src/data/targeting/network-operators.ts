/** Mobile network operators by country. */
import { derivedWord } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

const OPERATORS = `
US: Advantage=2l, AT&T, Boost Mobile, C Spire, Cellcom, Cricket, GCI, T-Mobile, UScellular, Verizon
GB: EE, O2, Three, Vodafone
CA: Bell, Fido, Freedom Mobile, Rogers, SaskTel, Telus, Vidéotron
AU: Optus, Telstra, Vodafone
IN: Airtel, BSNL, Jio, Vi
BR: Claro, TIM, Vivo
PT: MEO, NOS, Vodafone
ES: Movistar, Orange, Vodafone, Yoigo
MX: AT&T, Movistar, Telcel
AR: Claro, Movistar, Personal
FR: Bouygues Telecom, Free, Orange, SFR
DE: O2, Telekom, Vodafone, 1&1
AT: A1, Drei, Magenta
IT: Iliad, TIM, Vodafone, WindTre
TR: Türk Telekom, Turkcell, Vodafone
RU: Beeline, MegaFon, MTS, Tele2
KZ: Beeline, Kcell, Tele2
EG: Etisalat, Orange, Vodafone, WE
MA: inwi, Maroc Telecom, Orange
JP: au, NTT docomo, Rakuten Mobile, SoftBank
KR: KT, LG U+, SK Telecom
NL: KPN, Odido, Vodafone
IE: Eir, Three, Vodafone
CL: Claro, Entel, Movistar, WOM
CO: Claro, Movistar, Tigo
`;

/** A network operator in a country. */
export interface NetworkOperatorOption {
  readonly name: string;
  readonly country_code: string;
  readonly targeting_type: 'NETWORK_OPERATOR';
  readonly targeting_value: string;
}

export const networkOperators: OptionTable<NetworkOperatorOption> = new OptionTable(() =>
  entriesOf(OPERATORS).flatMap((line) => {
    const [country_code, list] = headAndRest(line);
    return itemsOf(list).map((item): NetworkOperatorOption => {
      const [name = item, value] = item.split('=');
      return {
        name,
        country_code,
        targeting_type: 'NETWORK_OPERATOR',
        targeting_value: value ?? derivedWord(`NETWORK_OPERATOR/${country_code}/${name}`),
      };
    });
  }),
);
