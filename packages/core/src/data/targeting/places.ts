/** Places below countries, as compact text: containers and their contents. `locations.ts` parses it into rows. */

/** Country: regions, of the United States with the code of the state. */
export const REGIONS: string = `
US: Alabama=AL, Alaska=AK, Arizona=AZ, Arkansas=AR, California=CA, Colorado=CO, Connecticut=CT, Delaware=DE, District of Columbia=DC, Florida=FL, Georgia=GA, Hawaii=HI, Idaho=ID, Illinois=IL, Indiana=IN, Iowa=IA, Kansas=KS, Kentucky=KY, Louisiana=LA, Maine=ME, Maryland=MD, Massachusetts=MA, Michigan=MI, Minnesota=MN, Mississippi=MS, Missouri=MO, Montana=MT, Nebraska=NE, Nevada=NV, New Hampshire=NH, New Jersey=NJ, New Mexico=NM, New York=NY, North Carolina=NC, North Dakota=ND, Ohio=OH, Oklahoma=OK, Oregon=OR, Pennsylvania=PA, Rhode Island=RI, South Carolina=SC, South Dakota=SD, Tennessee=TN, Texas=TX, Utah=UT, Vermont=VT, Virginia=VA, Washington=WA, West Virginia=WV, Wisconsin=WI, Wyoming=WY
GB: England, Scotland, Wales, Northern Ireland
CA: Alberta, British Columbia, Manitoba, New Brunswick, Newfoundland and Labrador, Northwest Territories, Nova Scotia, Nunavut, Ontario, Prince Edward Island, Quebec, Saskatchewan, Yukon
AU: Australian Capital Territory, New South Wales, Northern Territory, Queensland, South Australia, Tasmania, Victoria, Western Australia
IN: Delhi, Karnataka, Kerala, Madhya Pradesh, Maharashtra, Meghalaya, Rajasthan, Tamil Nadu, Uttar Pradesh, West Bengal
BR: Amazonas, Bahia, Minas Gerais, Pará, Paraná, Pernambuco, Rio de Janeiro, Rio Grande do Sul, São Paulo
PT: Centro, Norte, Alentejo, Algarve, Lisboa, Açores, Madeira
ES: Andalucía, Aragón, Asturias, Canarias, Cantabria, Castilla y León, Castilla-La Mancha, Cataluña, Comunidad Valenciana, Extremadura, Galicia, Illes Balears, La Rioja, Madrid, Murcia, Navarra, País Vasco
MX: Ciudad de México, Jalisco, Nuevo León, Oaxaca, Puebla, Veracruz, Yucatán
AR: Buenos Aires, Córdoba, Mendoza, Santa Fe, Tierra del Fuego
FR: Auvergne-Rhône-Alpes, Bourgogne-Franche-Comté, Bretagne, Centre-Val de Loire, Corse, Grand Est, Hauts-de-France, Île-de-France, Normandie, Nouvelle-Aquitaine, Occitanie, Pays de la Loire, Provence-Alpes-Côte d'Azur
DE: Baden-Württemberg, Bayern, Berlin, Brandenburg, Bremen, Hamburg, Hessen, Mecklenburg-Vorpommern, Niedersachsen, Nordrhein-Westfalen, Rheinland-Pfalz, Saarland, Sachsen, Sachsen-Anhalt, Schleswig-Holstein, Thüringen
AT: Burgenland, Kärnten, Niederösterreich, Oberösterreich, Salzburg, Steiermark, Tirol, Vorarlberg, Wien
IT: Abruzzo, Basilicata, Calabria, Campania, Emilia-Romagna, Friuli-Venezia Giulia, Lazio, Liguria, Lombardia, Marche, Molise, Piemonte, Puglia, Sardegna, Sicilia, Toscana, Trentino-Alto Adige, Umbria, Valle d'Aosta, Veneto
TR: Ankara, Eskişehir, İstanbul, İzmir, Mardin, Trabzon
RU: Москва, Псковская область, Санкт-Петербург, Татарстан, Вологодская область
KZ: Алматы, Астана, Карагандинская область
EG: القاهرة, الإسكندرية, أسوان, الفيوم
MA: الدار البيضاء سطات, فاس مكناس, طنجة تطوان الحسيمة, مراكش آسفي
JP: 北海道, 宮城県, 東京都, 石川県, 長野県, 京都府, 大阪府, 高知県, 長崎県
KR: 서울특별시, 부산광역시, 강원도, 전라북도, 경상남도
`;

/** Country/region: metropolitan areas. One that crosses a border is listed with the region of its first city. */
export const METROS: string = `
US/Alabama: Birmingham AL
US/Arizona: Phoenix AZ
US/California: Los Angeles CA, San Francisco-Oakland-San Jose CA, San Diego CA, Sacramento-Stockton-Modesto CA
US/Colorado: Denver CO
US/District of Columbia: Washington DC
US/Florida: Miami-Fort Lauderdale FL, Orlando-Daytona Beach FL
US/Georgia: Atlanta GA, Savannah GA
US/Illinois: Chicago IL
US/Maine: Portland-Auburn ME
US/Massachusetts: Boston MA
US/Michigan: Detroit MI
US/Minnesota: Duluth MN, Minneapolis-St. Paul MN
US/Missouri: St. Louis MO
US/Nevada: Las Vegas NV
US/New Mexico: Albuquerque-Santa Fe NM
US/New York: New York NY, Buffalo NY
US/Ohio: Cleveland-Akron OH
US/Oregon: Eugene OR, Portland OR
US/Pennsylvania: Philadelphia PA, Pittsburgh PA
US/Tennessee: Nashville TN
US/Texas: Dallas-Fort Worth TX, El Paso TX, Houston TX, Laredo TX, San Antonio TX, Austin TX
US/Utah: Salt Lake City UT
US/Vermont: Burlington-Plattsburgh VT
US/Washington: Seattle-Tacoma WA
GB/England: London, Greater Manchester, West Yorkshire, West of England
FR/Île-de-France: Paris
DE/Hamburg: Hamburg
JP/東京都: 東京圏
`;

/** Country, country/region or country/region/metropolitan area: cities. */
export const CITIES: string = `
US/California/Los Angeles CA: Los Angeles, East Los Angeles, Pasadena, Long Beach
US/California/San Francisco-Oakland-San Jose CA: Los Gatos, San Francisco, Oakland, San Jose
US/California/San Diego CA: San Diego
US/Colorado/Denver CO: Denver
US/District of Columbia/Washington DC: Washington
US/Florida/Miami-Fort Lauderdale FL: Miami
US/Georgia/Atlanta GA: Atlanta
US/Georgia/Savannah GA: Savannah
US/Illinois/Chicago IL: Chicago
US/Maine/Portland-Auburn ME: Portland
US/Massachusetts/Boston MA: Boston
US/Minnesota/Duluth MN: Duluth
US/New Mexico/Albuquerque-Santa Fe NM: Albuquerque, Santa Fe
US/New York/New York NY: New York
US/Oregon/Eugene OR: Eugene
US/Oregon/Portland OR: Portland
US/Pennsylvania/Philadelphia PA: Philadelphia
US/Texas/Austin TX: Austin
US/Texas/Dallas-Fort Worth TX: Dallas
US/Texas/El Paso TX: El Paso
US/Texas/Houston TX: Houston
US/Texas/Laredo TX: Laredo
US/Texas/San Antonio TX: San Antonio
US/Vermont/Burlington-Plattsburgh VT: Burlington
US/Washington/Seattle-Tacoma WA: Seattle, Bellingham
GB/England/London: London
GB/England/Greater Manchester: Manchester
GB/England/West Yorkshire: Leeds
GB/England/West of England: Bristol
GB/England: Whitby
GB/Scotland: Dundee, Edinburgh, Glasgow
GB/Wales: Cardiff
GB/Northern Ireland: Belfast
CA/Nova Scotia: Halifax
CA/Ontario: Kingston, Guelph, Ottawa, Toronto
CA/Quebec: Québec, Rimouski, Gatineau, Montréal
CA/British Columbia: Vancouver
AU/Tasmania: Hobart
AU/Victoria: Ballarat, Melbourne
AU/New South Wales: Newcastle, Sydney
AU/Queensland: Brisbane
IN/Karnataka: Mysuru, Bengaluru
IN/Kerala: Kochi
IN/Meghalaya: Shillong
IN/Maharashtra: Mumbai
IN/Delhi: New Delhi
IN/Rajasthan: जयपुर
IN/Uttar Pradesh: वाराणसी, लखनऊ
IN/Madhya Pradesh: भोपाल
BR/Pernambuco: Recife
BR/Minas Gerais: Ouro Preto
BR/Paraná: Curitiba
BR/Pará: Belém
BR/Bahia: Salvador
BR/Rio Grande do Sul: Porto Alegre
BR/Amazonas: Manaus
BR/São Paulo: São Paulo
BR/Rio de Janeiro: Rio de Janeiro
PT/Centro: Coimbra
PT/Alentejo: Évora
PT/Norte: Braga, Porto
PT/Lisboa: Lisboa
ES/Andalucía: Cádiz, Granada, Sevilla
ES/Asturias: Gijón
ES/Castilla-La Mancha: Cuenca
ES/Cataluña: Barcelona
ES/Madrid: Madrid
MX/Oaxaca: Oaxaca
MX/Puebla: Puebla
MX/Yucatán: Mérida
MX/Veracruz: Xalapa
MX/Ciudad de México: Ciudad de México
AR/Santa Fe: Rosario
AR/Mendoza: Mendoza
AR/Tierra del Fuego: Ushuaia
AR/Buenos Aires: Buenos Aires
FR/Pays de la Loire: Nantes
FR/Hauts-de-France: Lille
FR/Auvergne-Rhône-Alpes: Annecy, Lyon
FR/Provence-Alpes-Côte d'Azur: Arles, Marseille
FR/Île-de-France/Paris: Paris
DE/Schleswig-Holstein: Lübeck
DE/Bayern: Bamberg, München
DE/Sachsen: Görlitz
DE/Baden-Württemberg: Freiburg
DE/Berlin: Berlin
DE/Hamburg/Hamburg: Hamburg
AT/Steiermark: Graz
AT/Oberösterreich: Linz
AT/Vorarlberg: Bregenz
AT/Wien: Wien
IT/Puglia: Lecce
IT/Friuli-Venezia Giulia: Trieste
IT/Emilia-Romagna: Ferrara
IT/Sardegna: Cagliari
IT/Lazio: Roma
IT/Lombardia: Milano
TR/İzmir: İzmir
TR/Trabzon: Trabzon
TR/Mardin: Mardin
TR/Eskişehir: Eskişehir
TR/İstanbul: İstanbul
RU/Псковская область: Псков
RU/Татарстан: Казань
RU/Вологодская область: Вологда
RU/Москва: Москва
KZ/Алматы: Алматы
KZ/Карагандинская область: Караганда
EG/الإسكندرية: الإسكندرية
EG/أسوان: أسوان
EG/الفيوم: الفيوم
EG/القاهرة: القاهرة
MA/فاس مكناس: فاس
MA/طنجة تطوان الحسيمة: طنجة
MA/مراكش آسفي: الصويرة
JP/石川県: 金沢
JP/長崎県: 長崎
JP/長野県: 松本
JP/北海道: 函館
JP/京都府: 京都
JP/宮城県: 仙台
JP/高知県: 高知
JP/東京都/東京圏: 東京
JP/大阪府: 大阪
KR/전라북도: 전주
KR/강원도: 강릉
KR/경상남도: 통영
KR/서울특별시: 서울
NL: Amsterdam, Rotterdam, Utrecht
IE: Cork, Dublin, Galway
CL: Santiago, Valparaíso
CO: Bogotá, Medellín
VE: Caracas
ZA: Cape Town, Johannesburg
NG: Lagos
KE: Nairobi
SE: Göteborg, Stockholm
PL: Kraków, Warszawa
`;

/** Country/city: its postal codes. */
export const POSTAL_CODES: string = `
US/Oakland: 94601, 94607, 94612
US/San Francisco: 94103, 94110, 94122
US/Los Angeles: 90012, 90026, 90042
US/El Paso: 79901, 79912
US/San Antonio: 78205, 78212
US/Seattle: 98101, 98115
US/New York: 10001, 10025
CA/Halifax: B3H, B3J
GB/Leeds: LS1, LS6
GB/Bristol: BS1, BS8
DE/Lübeck: 23552, 23564
DE/Freiburg: 79098, 79102
FR/Nantes: 44000, 44100
FR/Lille: 59000, 59800
AU/Hobart: 7000
JP/京都: 600-8001, 604-8005
`;

/** English names of places, where they differ from the local ones. */
export const ENGLISH: string = `
Bayern=Bavaria, Hessen=Hesse, Mecklenburg-Vorpommern=Mecklenburg-Western Pomerania, Niedersachsen=Lower Saxony, Nordrhein-Westfalen=North Rhine-Westphalia, Rheinland-Pfalz=Rhineland-Palatinate, Sachsen=Saxony, Sachsen-Anhalt=Saxony-Anhalt, Thüringen=Thuringia, München=Munich
Kärnten=Carinthia, Niederösterreich=Lower Austria, Oberösterreich=Upper Austria, Steiermark=Styria, Tirol=Tyrol, Wien=Vienna
Bourgogne-Franche-Comté=Burgundy, Bretagne=Brittany, Corse=Corsica, Normandie=Normandy
Andalucía=Andalusia, Canarias=Canary Islands, Castilla y León=Castile and León, Castilla-La Mancha=Castile-La Mancha, Cataluña=Catalonia, Comunidad Valenciana=Valencia, Illes Balears=Balearic Islands, Navarra=Navarre, País Vasco=Basque Country, Sevilla=Seville
Lombardia=Lombardy, Piemonte=Piedmont, Puglia=Apulia, Sardegna=Sardinia, Sicilia=Sicily, Toscana=Tuscany, Trentino-Alto Adige=Trentino-South Tyrol, Valle d'Aosta=Aosta Valley, Milano=Milan, Roma=Rome
Lisboa=Lisbon, Açores=Azores, Ciudad de México=Mexico City, Bengaluru=Bangalore, Göteborg=Gothenburg, Warszawa=Warsaw
Москва=Moscow, Псков=Pskov, Псковская область=Pskov Oblast, Санкт-Петербург=Saint Petersburg, Татарстан=Tatarstan, Казань=Kazan, Вологда=Vologda, Вологодская область=Vologda Oblast
Алматы=Almaty, Астана=Astana, Караганда=Karaganda, Карагандинская область=Karaganda Region
القاهرة=Cairo, الإسكندرية=Alexandria, أسوان=Aswan, الفيوم=Faiyum
الدار البيضاء سطات=Casablanca-Settat, فاس=Fez, فاس مكناس=Fez-Meknes, طنجة=Tangier, طنجة تطوان الحسيمة=Tangier-Tetouan-Al Hoceima, مراكش آسفي=Marrakesh-Safi, الصويرة=Essaouira
जयपुर=Jaipur, वाराणसी=Varanasi, लखनऊ=Lucknow, भोपाल=Bhopal
北海道=Hokkaido, 函館=Hakodate, 宮城県=Miyagi, 仙台=Sendai, 東京都=Tokyo, 東京圏=Greater Tokyo, 東京=Tokyo, 石川県=Ishikawa, 金沢=Kanazawa, 長野県=Nagano, 松本=Matsumoto, 京都府=Kyoto, 京都=Kyoto, 大阪府=Osaka, 大阪=Osaka, 高知県=Kochi, 高知=Kochi, 長崎県=Nagasaki, 長崎=Nagasaki
서울특별시=Seoul, 서울=Seoul, 부산광역시=Busan, 강원도=Gangwon, 강릉=Gangneung, 전라북도=North Jeolla, 전주=Jeonju, 경상남도=South Gyeongsang, 통영=Tongyeong
`;
