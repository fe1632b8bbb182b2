/** Subjects that generated people write about: words that occur together, so that what is related can be recognized. */
import type { LanguageCode } from './languages.ts';

/** A subject in a language. */
export interface Subject {
  /** Its most frequent word. */
  readonly name: string;
  /** The words that are written with it, {@link name} not among them. None has a space. */
  readonly words: readonly string[];
}

function subject(list: string): Subject {
  const [name = '', ...words] = list.normalize('NFC').split(/\s+/u);
  return { name, words };
}

/** The subjects of each language. */
export const subjects: Readonly<Record<LanguageCode, readonly Subject[]>> = {
  en: [
    subject(`coffee espresso crema arabica robusta roaster grinder barista latte cappuccino macchiato portafilter tamper
      aeropress chemex cortado ristretto lungo decaf filter kettle bloom extraction puck gooseneck beans roast cupping
      ethiopian guatemalan sumatra mocha flatwhite americano coldbrew demitasse kenyan`),
    subject(`astronomy telescope nebula galaxy comet meteor eclipse jupiter saturn orion andromeda pleiades perseids
      eyepiece refractor dobsonian constellation supernova pulsar quasar aurora asteroid orbit equinox solstice zenith
      planetarium observatory stargazing milkyway betelgeuse sirius polaris cassiopeia parallax exoplanet magnitude`),
    subject(`football goalkeeper penalty striker midfielder offside referee kickoff dribble stadium corner freekick
      header defender winger hattrick tackle crossbar fixture relegation promotion derby league playoff transfer jersey
      pitch whistle captain substitute equaliser clearance volley nutmeg throwin goalpost touchline`),
  ],
  es: [
    subject(`café espresso crema arábica robusta tostador molinillo barista capuchino cortado portafiltro prensador
      cafetera ristretto descafeinado filtro hervidor extracción granos tueste cata colombiano guatemalteco aroma acidez
      tacita goteo manchado americano posos molienda espumador prensa cezve cafetal cosecha tostado`),
    subject(`astronomía telescopio nebulosa galaxia cometa meteorito eclipse júpiter saturno orión andrómeda pléyades
      perseidas ocular refractor constelación supernova púlsar cuásar aurora asteroide órbita equinoccio solsticio cenit
      planetario observatorio betelgeuse sirio polaris casiopea paralaje exoplaneta magnitud cráter eclíptica meridiano`),
    subject(`fútbol portero penalti delantero centrocampista fueradejuego árbitro saque regate estadio córner falta
      cabezazo defensa extremo triplete entrada larguero jornada descenso ascenso derbi liga prórroga fichaje camiseta
      césped silbato capitán suplente empate despeje volea caño banquillo goleador hinchada`),
  ],
  pt: [
    subject(`café espresso crema arábica robusta torrador moedor barista capuchino pingado portafiltro prensador
      cafeteira ristretto descafeinado filtro chaleira extração grãos torra degustação colombiano mineiro aroma acidez
      xicrinha coador carioca americano borra moagem espumador prensa cafezal colheita sacas torrefação`),
    subject(`astronomia telescópio nebulosa galáxia cometa meteoro eclipse júpiter saturno órion andrômeda plêiades
      perseidas ocular refrator constelação supernova pulsar quasar aurora asteroide órbita equinócio solstício zênite
      planetário observatório betelgeuse sírius polaris cassiopeia paralaxe exoplaneta magnitude cratera eclíptica meridiano`),
  ],
  fr: [
    subject(`café espresso crema arabica robusta torréfacteur moulin barista cappuccino noisette portafiltre tasseur
      cafetière ristretto décaféiné filtre bouilloire extraction grains torréfaction dégustation éthiopien guatemala arôme
      acidité tasse piston allongé americano marc mouture mousseur cezve caféier récolte percolateur mazagran`),
    subject(`astronomie télescope nébuleuse galaxie comète météore éclipse jupiter saturne orion andromède pléiades
      perséides oculaire lunette constellation supernova pulsar quasar aurore astéroïde orbite équinoxe solstice zénith
      planétarium observatoire bételgeuse sirius polaris cassiopée parallaxe exoplanète magnitude cratère écliptique méridien`),
  ],
  de: [
    subject(`Kaffee Espresso Crema Arabica Robusta Röster Mühle Barista Cappuccino Milchschaum Siebträger Tamper
      Kanne Ristretto Entkoffeiniert Filter Wasserkessel Extraktion Bohnen Röstung Verkostung Äthiopien Guatemala Aroma
      Säure Mokka Handaufguss Lungo Americano Kaffeesatz Mahlgrad Aufschäumer Stempelkanne Plantage Ernte Rösterei Melange`),
    subject(`Astronomie Teleskop Nebel Galaxie Komet Meteor Finsternis Jupiter Saturn Orion Andromeda Plejaden
      Perseiden Okular Refraktor Sternbild Supernova Pulsar Quasar Polarlicht Asteroid Umlaufbahn Tagundnachtgleiche Sonnenwende
      Zenit Planetarium Sternwarte Beteigeuze Sirius Polarstern Kassiopeia Parallaxe Exoplanet Magnitude Krater Ekliptik Meridian`),
  ],
  it: [
    subject(`caffè espresso crema arabica robusta tostatore macinino barista cappuccino macchiato portafiltro pressino
      moka ristretto decaffeinato filtro bollitore estrazione chicchi tostatura assaggio etiope guatemala aroma acidità
      tazzina lungo marocchino americano fondi macinatura montalatte napoletana piantagione raccolto torrefazione corretto`),
    subject(`astronomia telescopio nebulosa galassia cometa meteora eclissi giove saturno orione andromeda pleiadi
      perseidi oculare rifrattore costellazione supernova pulsar quasar aurora asteroide orbita equinozio solstizio zenit
      planetario osservatorio betelgeuse sirio polaris cassiopea parallasse esopianeta magnitudine cratere eclittica meridiano`),
  ],
  tr: [
    subject(`kahve espresso krema arabika robusta kavurucu değirmen barista kapuçino cezve telve fincan porselen
      süzgeç ristretto kafeinsiz filtre çaydanlık demleme çekirdek kavurma tadım etiyopya guatemala aroma asidite köpük
      latte mırra americano öğütme lokum fal dibek menengiç hasat plantasyon`),
    subject(`astronomi teleskop bulutsu gökada kuyrukluyıldız meteor tutulma jüpiter satürn orion andromeda ülker
      perseid oküler takımyıldız süpernova pulsar kuasar kutupışığı asteroit yörünge ekinoks gündönümü başucu planetaryum
      gözlemevi betelgeuse sirius kutupyıldızı kraliçe paralaks ötegezegen kadir krater ekliptik meridyen`),
  ],
  ru: [
    subject(`кофе эспрессо пенка арабика робуста обжарщик кофемолка бариста капучино латте холдер темпер турка ристретто
      декаф фильтр чайник экстракция зёрна обжарка каппинг эфиопия гватемала аромат кислинка чашка лунго раф американо
      гуща помол питчер пуровер плантация урожай воронка аэропресс`),
    subject(`астрономия телескоп туманность галактика комета метеор затмение юпитер сатурн орион андромеда плеяды
      персеиды окуляр рефрактор созвездие сверхновая пульсар квазар сияние астероид орбита равноденствие солнцестояние зенит
      планетарий обсерватория бетельгейзе сириус полярная кассиопея параллакс экзопланета яркость кратер эклиптика меридиан`),
  ],
  ar: [
    subject(`قهوة إسبريسو كريما أرابيكا روبوستا محمصة مطحنة باريستا كابتشينو لاتيه فنجان دلة هيل بن ريستريتو مرشح غلاية
      استخلاص حبوب تحميص تذوق إثيوبيا غواتيمالا نكهة حموضة ركوة زعفران موكا أمريكانو ثفل طحن رغوة مكبس مزرعة حصاد سكرية تقطير`),
    subject(`الفلك تلسكوب سديم مجرة مذنب شهاب كسوف المشتري زحل الجوزاء أندروميدا الثريا البرشاويات عدسة كاسر كوكبة مستعر
      نابض كوازار شفق كويكب مدار اعتدال انقلاب سمت قبة مرصد منكب الشعرى القطبي كاسيوبيا تزيح خارجي لمعان فوهة كسوفية زوال`),
  ],
  hi: [
    subject(`कॉफ़ी एस्प्रेसो क्रेमा अरेबिका रोबस्टा भुनाई चक्की बरिस्ता कैपुचीनो लाटे प्याला फ़िल्टर डिकॉक्शन रिस्ट्रेटो केतली झाग दाने बीज
      स्वाद इथियोपिया ग्वाटेमाला सुगंध अम्लता मोका अमेरिकानो पिसाई चिकोरी डबरा टंबलर बागान फ़सल कूर्ग चिकमगलूर छलनी चम्मच दूध मिठास`),
    subject(`खगोल दूरबीन नीहारिका आकाशगंगा धूमकेतु उल्का ग्रहण बृहस्पति शनि मृगशिरा देवयानी कृत्तिका वेधशाला नेत्रिका तारामंडल
      अधिनव पल्सर क्वासर ध्रुवीय क्षुद्रग्रह कक्षा विषुव अयनांत शिरोबिंदु तारा ग्रह आर्द्रा लुब्धक ध्रुवतारा शर्मिष्ठा लंबन बहिर्ग्रह कांतिमान
      गड्ढा क्रांतिवृत्त याम्योत्तर चंद्रमा`),
  ],
  ja: [
    subject(`珈琲 エスプレッソ クレマ アラビカ ロブスタ 焙煎 ミル バリスタ カプチーノ ラテ 濾紙 タンパー サイフォン リストレット デカフェ
      ドリップ ケトル 抽出 生豆 深煎 浅煎 エチオピア グアテマラ 香味 酸味 モカ ネルドリップ ルンゴ アメリカーノ 粉砕 挽目 ミルクフォーム
      プレス 農園 収穫 喫茶店 苦味`),
    subject(`天文 望遠鏡 星雲 銀河 彗星 流星 月食 木星 土星 オリオン アンドロメダ 変光星 ペルセウス 接眼鏡 屈折鏡 星座 超新星 パルサー クエーサー
      オーロラ 小惑星 軌道 春分 冬至 天頂 プラネタリウム 天文台 ベテルギウス シリウス 北極星 カシオペヤ 視差 惑星 等級 クレーター 黄道 子午線`),
    subject(`蹴球 ゴールキーパー ペナルティ ストライカー ミッドフィルダー オフサイド 主審 キックオフ ドリブル 競技場 コーナー フリーキック
      ヘディング ディフェンダー ウイング ハットトリック タックル クロスバー 前半戦 降格 昇格 ダービー リーグ 延長戦 移籍 ユニフォーム 芝生 警告
      主将 控選手 同点弾 クリア ボレー 股抜 スローイン 得点王 応援団`),
  ],
  ko: [
    subject(`커피 에스프레소 크레마 아라비카 로부스타 로스터 그라인더 바리스타 카푸치노 라떼 탬퍼 포터필터 사이폰 리스트레토 디카페인 필터
      주전자 추출 원두 로스팅 커핑 에티오피아 과테말라 향미 산미 모카 드립 룽고 아메리카노 분쇄 찌꺼기 거품 프레스 농장 수확 다방 쓴맛`),
    subject(`천문학 망원경 성운 은하 혜성 유성 월식 목성 토성 오리온 안드로메다 묘성 페르세우스 접안경 굴절경 별자리 초신성 펄사 퀘이사 오로라
      소행성 궤도 춘분 동지 천정 천문관 천문대 베텔게우스 시리우스 북극성 카시오페이아 시차 행성 등급 분화구 황도 자오선`),
  ],
};

/** Separates words of a list. */
export const listSeparators: Readonly<Partial<Record<LanguageCode, string>>> = { ar: '، ', ja: '、' };
