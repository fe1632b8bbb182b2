/** Names and texts of generated people, by language. */

/** The texts of a language. `{t}` is replaced by a topic, `{n}` by a number. No sentence contains a link, name or tag. */
export interface Language {
  /** Given names: as written, and transliterated for a screen name. */
  readonly given: readonly (readonly [written: string, latin: string])[];
  readonly family: readonly string[];
  /** Joins given and family name. */
  readonly order: 'given first' | 'family first';
  /** Separator of the parts of a name. */
  readonly joiner: string;
  readonly about: readonly string[];
  readonly topics: readonly string[];
  readonly tags: readonly string[];
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
  readonly replies: readonly string[];
  readonly comments: readonly string[];
}

/** BCP 47 codes of {@link languages}. */
export type LanguageCode = 'en' | 'es' | 'pt' | 'fr' | 'de' | 'it' | 'tr' | 'ru' | 'ar' | 'hi' | 'ja' | 'ko';

interface Words {
  readonly given: string;
  readonly family: string;
  readonly about: string;
  readonly topics: string;
  readonly tags: string;
  readonly openings: string;
  readonly remarks: string;
  readonly replies: string;
  readonly comments: string;
}

function language(words: Words, order: Language['order'] = 'given first', joiner = ' '): Language {
  const list = (text: string) => text.split('|').map((item) => item.trim().normalize('NFC'));
  return {
    given: list(words.given).map((name) => {
      const [written = '', latin = written] = name.split('=');
      return [written, latin];
    }),
    family: list(words.family),
    order,
    joiner,
    about: list(words.about),
    topics: list(words.topics),
    tags: list(words.tags),
    openings: list(words.openings),
    remarks: list(words.remarks),
    replies: list(words.replies),
    comments: list(words.comments),
  };
}

/** All languages. */
export const languages: Readonly<Record<LanguageCode, Language>> = {
  en: language({
    given: 'Ada|Nora|Miles|Ivy|Owen|Tess|Hugo|Wren|Jonah|Pearl|Felix|Greta',
    family: 'Marsh|Holloway|Finch|Okafor|Pryce|Lindgren|Bell|Castellan|Rowe|Quill',
    about:
      'Birds, bread and bad puns.|I fix old radios.|Reading my way through the town library.|Engineer by day, cellist by night.|Mostly pictures of clouds.',
    topics:
      'the rain garden|our bakery|the night train|the old lighthouse|the choir rehearsal|the tide pools|the repair café|the chess club|the kite festival|the harbour market|the library roof|the bicycle workshop',
    tags: 'RainGarden|SlowMornings|NightTrain|Baking|CityBirds|OpenStudio|Gardening|WeekendWalk|Repair',
    openings:
      'Nothing beats {t} on a clear day.|Is anyone else thinking about {t} today?|{n} people came to see {t} this week.|We finally have good news about {t}.|My favourite thing in town: {t}.|Plan for today: {t}, then a long walk.|Two years ago nobody had heard of {t}.|I could talk about {t} for {n} minutes, and I did.|A short note about {t}, since so many of you asked.|If you are near, come and see {t}.',
    remarks:
      'More on it soon.|Tell your neighbours.|It rained the whole time and nobody minded.|Next time I will bring a camera.|We need two more hands on Saturday.|That is all I have to say.|I did not expect that.',
    replies:
      'That made my day, thank you.|Count me in.|I am not so sure, but I will have a look.|When does it start?|We tried this last year and it worked.|Could you say a bit more about it?|Same here!',
    comments:
      'This deserves more readers.|Exactly what I meant the other day.|I disagree with half of it and love the rest.|Worth your time.',
  }),
  es: language({
    given: 'Lucía=Lucia|Mateo|Inés=Ines|Joaquín=Joaquin|Carmen|Elena|Bruno|Paloma|Rafael|Noelia|Íñigo=Inigo|Sol',
    family: 'Herrera|Núñez|Salcedo|Ibarra|Quiroga|Montoya|Peña|Rivas|Cárdenas|Olmedo',
    about:
      'Libros, café y bicicletas.|Profesora de música en un pueblo con viento.|Aprendo a hacer pan desde hace diez años.|Aquí solo hablo de plantas.',
    topics:
      'el huerto del barrio|la panadería nueva|el tren nocturno|el faro viejo|el ensayo del coro|el mercado del puerto|la biblioteca|el taller de bicicletas|la feria del libro|el club de ajedrez|la playa en invierno',
    tags: 'HuertoUrbano|Panadería|TrenNocturno|Mañanas|FeriaDelLibro|PaseoDeDomingo|Música|Bicis',
    openings:
      'Hoy toca hablar de esto: {t}.|Lo mejor de la semana: {t}.|¿Alguien más piensa hoy en {t}?|Por fin hay buenas noticias sobre {t}.|Hace dos años nadie conocía {t}.|Esta semana vinieron {n} personas a ver {t}.|Plan para hoy: {t} y un paseo largo.|De esto podría hablar {n} minutos: {t}.',
    remarks:
      'Mañana cuento más.|Avisad a los vecinos.|Llovió todo el rato y a nadie le importó.|La próxima vez llevo la cámara.|No me lo esperaba.|Faltan dos manos para el sábado.',
    replies:
      'Me has alegrado el día, gracias.|Yo me apunto.|No lo tengo tan claro, pero lo miro.|¿A qué hora empieza?|Lo probamos el año pasado y funcionó.|¿Puedes contar un poco más?',
    comments:
      'Esto merece más lectores.|Justo lo que decía el otro día.|No estoy de acuerdo en todo, pero vale la pena.',
  }),
  pt: language({
    given: 'Inês=Ines|Tomás=Tomas|Beatriz|Caetano|Lúcia=Lucia|Davi|Marina|Otávio=Otavio|Joana|Rui|Helena|Caio',
    family: 'Teixeira|Moura|Azevedo|Figueira|Nogueira|Brandão|Salgado|Queirós|Amaral|Pimentel',
    about:
      'Livros, café e bicicletas.|Ensino música perto do mar.|Faço pão aos domingos.|Só falo de plantas e de chuva.',
    topics:
      'a horta do bairro|a padaria nova|o trem da noite|o velho farol|o ensaio do coral|o mercado do porto|a biblioteca|a oficina de bicicletas|a feira do livro|o clube de xadrez|a praia no inverno',
    tags: 'HortaUrbana|Padaria|FeiraDoLivro|Manhãs|Música|PasseioDeDomingo|Chuva|Bicicletas',
    openings:
      'O melhor da semana: {t}.|Mais alguém pensando hoje em {t}?|Enfim boas notícias sobre {t}.|Há dois anos ninguém conhecia {t}.|Esta semana {n} pessoas vieram ver {t}.|Plano de hoje: {t} e uma longa caminhada.|Eu poderia falar sobre {t} por {n} minutos.|Quem está por perto, venha ver {t}.',
    remarks:
      'Amanhã conto mais.|Avisem os vizinhos.|Choveu o tempo todo e ninguém reclamou.|Da próxima vez levo a câmera.|Não esperava por isso.|Faltam duas mãos para sábado.',
    replies:
      'Você alegrou meu dia, obrigada.|Pode contar comigo.|Não sei bem, mas vou olhar.|A que horas começa?|Tentamos no ano passado e deu certo.|Conta um pouco mais?',
    comments: 'Isto merece mais leitores.|Era o que eu dizia outro dia.|Discordo da metade e adoro o resto.',
  }),
  fr: language({
    given:
      'Élise=Elise|Basile|Margaux|Théo=Theo|Apolline|Lucien|Noémie=Noemie|Armand|Solène=Solene|Gaspard|Inès=Ines|Marius',
    family: 'Delorme|Fontaine|Garnier|Lemaire|Charpentier|Vasseur|Besson|Marchand|Roussel|Prévost',
    about:
      'Livres, pain et mauvaises blagues.|Je répare de vieilles radios.|Surtout des photos de nuages.|Ingénieure le jour, violoncelliste le soir.',
    topics:
      'le jardin partagé|la nouvelle boulangerie|le train de nuit|le vieux phare|la répétition de la chorale|le marché du port|la bibliothèque|l’atelier vélo|le salon du livre|le club d’échecs|la plage en hiver',
    tags: 'JardinPartagé|Boulangerie|TrainDeNuit|SalonDuLivre|Balade|Musique|Vélo|Matin',
    openings:
      'Le meilleur moment de la semaine : {t}.|Enfin de bonnes nouvelles, et c’est {t}.|Il y a deux ans, personne ne connaissait {t}.|Cette semaine, {n} personnes sont venues voir {t}.|Au programme : {t}, puis une longue marche.|Je pourrais raconter {t} pendant {n} minutes.|Si vous passez par ici, venez voir {t}.|On me demande souvent pourquoi j’aime {t}.',
    remarks:
      'La suite demain.|Dites-le aux voisins.|Il a plu tout le temps et personne ne s’est plaint.|La prochaine fois, je prends l’appareil photo.|Je ne m’y attendais pas.|Il manque deux bras samedi.',
    replies:
      'Merci, ça me fait plaisir.|J’en suis.|Je ne suis pas sûre, mais je vais regarder.|Ça commence à quelle heure ?|On a essayé l’an dernier et ça a marché.|Tu peux en dire un peu plus ?',
    comments:
      'À lire absolument.|Exactement ce que je disais l’autre jour.|Pas d’accord sur tout, mais ça vaut le détour.',
  }),
  de: language({
    given: 'Frieda|Jonas|Käthe=Kaethe|Anton|Lotte|Emil|Marlene|Oskar|Thea|Jörg=Joerg|Ida|Bruno',
    family: 'Brandt|Köhler|Winter|Sommerfeld|Lorenz|Grünwald|Albrecht|Petersen|Weiß|Haller',
    about:
      'Bücher, Brot und Wortspiele.|Ich repariere alte Radios.|Meistens Bilder von Wolken.|Tagsüber Technik, abends Cello.',
    topics:
      'der Regengarten|unsere Bäckerei|der Nachtzug|der alte Leuchtturm|die Chorprobe|das Reparaturcafé|der Schachklub|das Drachenfest|der Markt am Hafen|die Bücherei|die Fahrradwerkstatt',
    tags: 'Regengarten|Nachtzug|Brotbacken|Stadtvögel|Frühstück|Wochenende|Bücherei|Fahrrad',
    openings:
      'Das Beste dieser Woche: {t}.|Heute auf dem Plan: {t}, danach ein langer Spaziergang.|Vor zwei Jahren kannte das niemand, und jetzt: {t}.|{n} Leute waren diese Woche da. Der Grund: {t}.|Kurz notiert, weil so viele fragen: {t}.|Mein Lieblingsort in der Stadt? Ganz klar: {t}.|Darüber könnte ich {n} Minuten reden: {t}.',
    remarks:
      'Morgen mehr dazu.|Sagt es den Nachbarn.|Es hat die ganze Zeit geregnet, und niemanden hat es gestört.|Beim nächsten Mal nehme ich die Kamera mit.|Damit hatte ich nicht gerechnet.|Für Samstag fehlen noch zwei Hände.',
    replies:
      'Das freut mich, danke.|Ich bin dabei.|Ich bin nicht sicher, aber ich sehe es mir an.|Wann geht es los?|Das haben wir letztes Jahr versucht, und es ging.|Magst du mehr darüber erzählen?',
    comments: 'Das sollten mehr Leute lesen.|Genau das meinte ich neulich.|Halb anderer Meinung, trotzdem lesenswert.',
  }),
  it: language({
    given: 'Giulia|Leo|Caterina|Pietro|Alba|Dario|Nives|Tommaso|Livia|Elio|Marta|Ugo',
    family: 'Bellini|Conti|Ferraris|Galli|Montanari|Pellegrini|Serra|Tosi|Vitale|Zanetti',
    about:
      'Libri, pane e giochi di parole.|Riparo vecchie radio.|Quasi solo foto di nuvole.|Insegno musica vicino al mare.',
    topics:
      'l’orto di quartiere|il nuovo forno|il treno di notte|il vecchio faro|la prova del coro|il mercato del porto|la biblioteca|l’officina delle bici|la fiera del libro|il circolo degli scacchi',
    tags: 'OrtoUrbano|TrenoNotturno|FieraDelLibro|Mattina|Pane|Musica|Bici|Passeggiata',
    openings:
      'La cosa più bella della settimana: {t}.|Finalmente buone notizie: {t}.|Due anni fa nessuno conosceva {t}.|Questa settimana {n} persone sono venute a vedere {t}.|Programma di oggi: {t} e una lunga passeggiata.|Potrei raccontare {t} per {n} minuti.|Se siete da queste parti, venite a vedere {t}.',
    remarks:
      'Domani il seguito.|Ditelo ai vicini.|Ha piovuto sempre e nessuno si è lamentato.|La prossima volta porto la macchina fotografica.|Non me l’aspettavo.',
    replies:
      'Mi hai rallegrato la giornata, grazie.|Io ci sono.|Non sono sicura, ma do un’occhiata.|A che ora comincia?|Ci abbiamo provato l’anno scorso e ha funzionato.',
    comments:
      'Merita più lettori.|Proprio quello che dicevo l’altro giorno.|Non sono d’accordo su tutto, ma vale la pena.',
  }),
  tr: language({
    given: 'Elif|Deniz|Çağla=Cagla|Kerem|Işıl=Isil|Ozan|Zeynep|Barış=Baris|Nehir|Emre|Gökçe=Gokce|Sarp',
    family: 'Aydın|Korkmaz|Şahin|Yıldırım|Özkan|Çetin|Tuna|Bozkurt|Güneş|Kaplan',
    about:
      'Kitap, ekmek ve yağmur.|Eski radyoları tamir ederim.|Çoğunlukla bulut fotoğrafları.|Sabahları yürür, akşamları çalarım.',
    topics:
      'mahalle bahçesi|yeni fırın|gece treni|eski deniz feneri|koro provası|liman pazarı|kütüphane|bisiklet atölyesi|kitap fuarı|satranç kulübü',
    tags: 'MahalleBahçesi|GeceTreni|KitapFuarı|Sabah|Yürüyüş|Müzik|Bisiklet',
    openings:
      'Haftanın en güzel yanı: {t}.|Bugünün planı: {t}, sonra uzun bir yürüyüş.|İki yıl önce kimse bilmezdi: {t}.|Bu hafta {n} kişi geldi. Sebebi: {t}.|Kısa bir not: {t}.|Şehirde en sevdiğim şey: {t}.|Bunu {n} dakika anlatabilirim: {t}.',
    remarks:
      'Yarın devam ederim.|Komşulara haber verin.|Hep yağmur yağdı, kimse aldırmadı.|Bir dahaki sefere fotoğraf makinemi getiririm.|Bunu beklemiyordum.',
    replies:
      'Günümü güzelleştirdin, teşekkürler.|Ben de varım.|Emin değilim ama bakarım.|Kaçta başlıyor?|Geçen yıl denedik, oldu.',
    comments: 'Daha çok kişi okumalı.|Geçen gün tam bunu diyordum.|Yarısına katılmıyorum ama okumaya değer.',
  }),
  ru: language({
    given:
      'Аня=Anya|Лев=Lev|Варвара=Varvara|Тимур=Timur|Майя=Maya|Фёдор=Fedor|Злата=Zlata|Роман=Roman|Алиса=Alisa|Егор=Egor',
    family: 'Ветров|Соловей|Зимина|Орлов|Полянская|Рябинин|Лесная|Громов|Ясенев',
    about:
      'Книги, хлеб и дождь.|Чиню старые радиоприёмники.|В основном фотографии облаков.|Днём инженер, вечером виолончель.',
    topics:
      'сад во дворе|новая пекарня|ночной поезд|старый маяк|репетиция хора|рынок у порта|библиотека|веломастерская|книжная ярмарка|шахматный клуб',
    tags: 'НочнойПоезд|Утро|КнижнаяЯрмарка|Прогулка|Музыка|Хлеб|ГородскиеПтицы',
    openings:
      'Лучшее за неделю: {t}.|План на сегодня: {t}, потом долгая прогулка.|Два года назад об этом никто не знал, а теперь {t}.|На этой неделе пришло {n} человек. Причина: {t}.|Коротко о главном: {t}.|Моё любимое место в городе: {t}.|Об этом я могу говорить {n} минут: {t}.',
    remarks:
      'Завтра расскажу больше.|Скажите соседям.|Всё время шёл дождь, и никто не жаловался.|В следующий раз возьму камеру.|Такого я не ожидала.',
    replies:
      'Спасибо, день стал лучше.|Я с вами.|Не уверен, но посмотрю.|Во сколько начало?|В прошлом году пробовали, получилось.',
    comments: 'Это стоит прочитать.|Именно об этом я говорила на днях.|Согласен наполовину, но интересно.',
  }),
  ar: language({
    given: 'ليلى=Layla|كريم=Karim|سلمى=Salma|يوسف=Yusuf|هدى=Huda|طارق=Tariq|نور=Nour|سامي=Sami|رنا=Rana|عمر=Omar',
    family: 'الحداد|النجار|منصور|الخطيب|البحري|زيدان|القاضي|الشامي',
    about: 'كتب وقهوة ومطر.|أصلح أجهزة الراديو القديمة.|صور غيوم في الغالب.|أدرّس الموسيقى قرب البحر.',
    topics:
      'حديقة الحي|المخبز الجديد|قطار الليل|المنارة القديمة|تدريب الجوقة|سوق الميناء|المكتبة|ورشة الدراجات|معرض الكتاب|نادي الشطرنج',
    tags: 'حديقة_الحي|قطار_الليل|معرض_الكتاب|صباح_الخير|موسيقى|قهوة',
    openings:
      'أجمل ما في هذا الأسبوع: {t}.|خطة اليوم: {t} ثم نزهة طويلة.|قبل عامين لم يكن أحد يعرف {t}.|جاء هذا الأسبوع {n} شخصا لزيارة {t}.|مكاني المفضل في المدينة: {t}.|أخيرا أخبار جيدة عن {t}.',
    remarks:
      'غدا أكتب المزيد.|أخبروا الجيران.|هطل المطر طوال الوقت ولم يشتك أحد.|في المرة القادمة أحضر الكاميرا.|لم أتوقع ذلك.',
    replies: 'شكرا، أسعدت يومي.|أنا معكم.|لست متأكدا، لكن سأنظر.|متى يبدأ؟|جربناه العام الماضي ونجح.',
    comments: 'يستحق القراءة.|هذا ما كنت أقوله قبل أيام.|لا أتفق مع كل شيء لكنه ممتع.',
  }),
  hi: language({
    given: 'आशा=Asha|रोहन=Rohan|मीरा=Meera|कबीर=Kabir|तारा=Tara|विवान=Vivaan|नंदिनी=Nandini|अर्जुन=Arjun|सिया=Siya|देव=Dev',
    family: 'शर्मा|वर्मा|मिश्रा|जोशी|त्रिपाठी|चौहान|सक्सेना|पाठक',
    about: 'किताबें, चाय और बारिश।|पुराने रेडियो ठीक करता हूँ।|ज़्यादातर बादलों की तस्वीरें।|दिन में इंजीनियर, शाम को संगीत।',
    topics:
      'मोहल्ले का बगीचा|नई बेकरी|रात की रेल|पुराना किला|संगीत का अभ्यास|घाट का बाज़ार|पुस्तकालय|साइकिल की दुकान|पुस्तक मेला|शतरंज क्लब',
    tags: 'पुस्तकमेला|सुबह|बारिश|संगीत|चाय|सैर',
    openings:
      'इस हफ़्ते की सबसे अच्छी बात: {t}।|आज की योजना: {t}, फिर लंबी सैर।|दो साल पहले किसी ने नहीं सुना था: {t}।|इस हफ़्ते {n} लोग आए। कारण: {t}।|शहर में मेरी पसंदीदा जगह: {t}।|इस पर मैं {n} मिनट बोल सकती हूँ: {t}।',
    remarks:
      'कल और बताऊँगी।|पड़ोसियों को बता दीजिए।|पूरे समय बारिश होती रही और किसी ने शिकायत नहीं की।|अगली बार कैमरा लाऊँगा।|इसकी उम्मीद नहीं थी।',
    replies: 'दिन बन गया, धन्यवाद।|मैं भी आऊँगा।|पक्का नहीं, पर देखूँगी।|कब शुरू होगा?|पिछले साल किया था, अच्छा रहा।',
    comments: 'इसे और लोग पढ़ें।|यही तो मैं कह रही थी।|आधी बात से सहमत नहीं, फिर भी पढ़िए।',
  }),
  ja: language(
    {
      given: '葵=Aoi|蓮=Ren|結衣=Yui|湊=Minato|さくら=Sakura|陸=Riku|美月=Mizuki|悠真=Yuma|ひなた=Hinata|奏=Kanade',
      family: '森本|川口|石田|小野寺|藤原|松井|大西|三浦',
      about: '本とパンと雨が好き。|古いラジオを直しています。|だいたい雲の写真です。|昼は技術者、夜はチェロ。',
      topics: '雨の庭|駅前のパン屋|夜行列車|古い灯台|合唱の練習|港の朝市|図書館|自転車工房|本の市|将棋クラブ',
      tags: '朝の散歩|夜行列車|パン|本の市|音楽|猫|雨の日',
      openings:
        '今週いちばん良かったもの：{t}。|今日の予定は{t}、そのあと長い散歩。|二年前は誰も知らなかった{t}。|今週は{n}人が{t}に来てくれました。|この街で好きな場所は{t}です。|{t}のことなら{n}分話せます。|ようやく{t}についていい知らせがあります。',
      remarks:
        '続きはまた明日。|ご近所にも伝えてください。|ずっと雨だったけれど、誰も気にしていませんでした。|次はカメラを持っていきます。|予想していませんでした。',
      replies:
        'うれしいです、ありがとう。|参加します。|よく分からないけれど見てみます。|何時からですか？|去年やってみてうまくいきました。',
      comments: 'もっと読まれてほしい。|この前言いたかったのはこれです。|半分は反対、でも面白い。',
    },
    'family first',
  ),
  ko: language(
    {
      given:
        '서연=Seoyeon|민준=Minjun|하은=Haeun|도윤=Doyun|지우=Jiwoo|시우=Siwoo|수아=Sua|은호=Eunho|나래=Narae|가람=Garam',
      family: '김|이|박|최|정|한|윤|서',
      about: '책과 빵과 비를 좋아합니다.|오래된 라디오를 고칩니다.|주로 구름 사진.|낮에는 기술자, 밤에는 첼로.',
      topics: '동네 텃밭|새 빵집|야간열차|오래된 등대|합창 연습|항구 시장|도서관|자전거 공방|책 시장|바둑 모임',
      tags: '아침산책|야간열차|빵집|책시장|음악|비오는날',
      openings:
        '이번 주 가장 좋았던 것: {t}.|오늘 계획: {t}, 그리고 긴 산책.|이번 주에 {n}명이 다녀갔습니다. 이유는 {t}.|이 도시에서 가장 좋아하는 것: {t}.|이 이야기는 {n}분도 할 수 있어요: {t}.|드디어 좋은 소식: {t}.',
      remarks:
        '내일 더 쓸게요.|이웃에게도 알려 주세요.|내내 비가 왔지만 아무도 신경 쓰지 않았어요.|다음에는 카메라를 가져갈게요.|예상하지 못했어요.',
      replies:
        '덕분에 기분이 좋아졌어요.|저도 갈게요.|잘 모르겠지만 한번 볼게요.|몇 시에 시작해요?|작년에 해 봤는데 잘됐어요.',
      comments: '더 많은 사람이 읽었으면.|며칠 전에 하려던 말이 바로 이거예요.|절반은 동의하지 않지만 재미있어요.',
    },
    'family first',
    '',
  ),
};

/** Appended to some posts. */
export const emoji: readonly string[] = [
  '🌿',
  '🥖',
  '🌧️',
  '🚲',
  '📚',
  '🎶',
  '✨',
  '🐦',
  '☕',
  '😂',
  '❤️',
  '🙌🏽',
  '👩‍🌾',
  '🌊',
];
