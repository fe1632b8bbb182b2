/**
 * Words that say nothing about a subject, in the languages of generated people: they are no related keywords. Other
 * languages need no list, since the words of posts are compared with those of other posts of their language.
 */
const LISTS = [
  // English
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing
  don done down each even ever few for from get go going got had has have he her here hers him his how i if im in into
  is isn it its just know let like ll made make many may me more most much must my near need never new next no nobody
  nor not nothing now of off on once one only or other our out over own people please quite re really s same say see
  she should since so some somebody soon still such t than that the their them then there these they thing things this
  those through to today tomorrow too two under until up us use ve very was way we week well went were what when where
  which while who why will with would yes yesterday yet you your yours rt via`,
  // Spanish
  `a al algo alguien ante antes año años aquí así aún ayer bien cada casi como con contra cosas cuando cuál cual da de
  del desde día días donde dos durante e el él ella ellas ellos en entre era es esa ese eso esta está están este esto
  estos fin fue gracias ha había hace hacia han has hasta hay hoy la las le les lo los más mañana me menos mi mí mis mismo
  muy nada nadie ni no nos nosotros nunca o os otra otro otros para pero poco por porque puede que qué quien se sea según
  semana ser si sí sin sobre solo son soy su sus también tan te tengo ti tiempo tiene toca toda todo todos tu tus un una
  uno unos va vez ya yo`,
  // Portuguese
  `a agora ainda alguém algo ano anos antes ao aos aquela aquele aqui as assim até bem cada com como da das de dela dele
  depois desde deu dia dias do dois dos e é ela elas ele eles em enfim então entre era essa esse esta está este eu foi
  foram há hoje isso isto já lá lhe mais mas me mesmo meu minha muito na nada não nas nem ninguém no nos nós num numa o
  onde ontem os ou outra outro para pela pelo pode pois por porque pouco pra quando quase que quem se sem semana ser seu
  sim só sobre sua são também te tem ter toda todo todos tu tudo um uma vai você vocês vez`,
  // French
  `à a ai aller alors an ans après as au aucun aujourd aussi autre aux avant avec bien c ce ceci cela celle celui ces cet
  cette chaque chez ci comme d dans de déjà demain depuis des deux dit donc du elle elles en encore enfin entre es est et
  été être eu fait faire fois font hier hui ici il ils j je jour jours jusque l la là le les leur leurs lui m ma mais me
  même mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi puis qu quand
  que quel quelle qui rien s sa sans se semaine ses si son sont sous suis sur t ta te tes toi ton tous tout toute tous
  très trop tu un une va vers via vos votre vous y ça`,
  // German
  `ab aber alle allem allen alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit danach
  dann darum das dass dein dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch
  ein eine einem einen einer eines er erst es etwas euch euer für ganz gar gegen gestern gibt hab habe haben hat hatte
  heute hier hin ich ihm ihn ihr ihre im immer in ins ist ja jahr jahre jahren jede jeder jetzt kann kein keine können
  machen man mehr mein mich mir mit morgen muss nach nächsten neben nein nicht nichts niemand noch nun nur ob oder ohne
  schon sehr sei sein seine selbst sich sie sind so soll sondern sonst tag tage über um und uns unser unter viel viele
  vom von vor war waren warum was weil welche wenn wer werden wie wieder will wir wird wo woche wohl zu zum zur zwei`,
  // Italian
  `a ad adesso ai al alla alle allo altra altri altro anche ancora anni anno avere bene c che chi ci ciò col come con così
  cosa cui d da dal dalla dai dei del della delle dello di dopo domani dove due e è ed era essere fa fatto finalmente fino
  fra già giorni giorno gli ha hai hanno ho i ieri il in io l la le lei li lo loro lui ma me meno mi mia mio molto ne
  negli nei nel nella nessuno niente no noi non nostro nulla o oggi ogni per perché però più poco poi può qua quale quando
  quanto quasi quella quello questa queste questi questo qui quindi s se sei sempre senza settimana si sia siamo siete solo
  sono sopra sotto sta su sua sul sulla suo te ti tra tu tua tutta tutti tutto tuo un una uno vi voi volta`,
  // Turkish
  `acaba ama ancak artık aslında az bana bazı belki ben beni benim bile bir biraz biri birkaç birşey biz bize bizim bu buna
  bunda bundan bunu bunun bugün burada çok çünkü da daha dahi de defa değil diğer diye dün en fakat falan gibi göre hafta
  hangi hatta hem henüz hep hepsi her hiç için ile ilgili ise işte kadar kez ki kim kimse mı mi mu mü nasıl ne neden nerede
  niye o olan olarak oldu olduğu olsa on ona onlar onu onun orada öyle sadece şey sen seni senin siz size sizin son sonra
  şu şimdi tabii tüm üzere var ve veya ya yani yarın yıl yok zaten`,
  // Russian
  `а без более бы был была были было быть в вам вас ваш весь во вот все всё всегда всего вчера вы где да даже два для
  дня день до его ее её ей ему если есть еще ещё же за завтра здесь и из или им их к как какой когда кто ли лет лучше мне
  может можно мой моя мы на над надо нам нас наш не него нее неё ней неделе неделю неделя нет ни никто ничего но ну о об
  один он она они оно от очень по под пока после потом потому почему при про раз с сам самое самый себя сегодня сейчас со
  так также там те тем то того тоже только том тот ты у уже хочу хотя чего чем что чтобы эта эти это этого этой этом этот
  эту я`,
  // Arabic
  `آخر أخرى أكثر ألا أم أما أمام أمس أن أنا أنت أنتم أنه أو أول أي أيضا أين إذا إلا إلى إن إنه اليوم الآن الأسبوع التي الذي
  الذين اللي بأن بعد بعض بعضا بل بما بين بينما تحت تكون تلك ثم جدا جميع حتى حول حيث حين خلال دون ذلك سوف شيء ضد عام عامين عبر عدة
  عدم على عليه عليها عن عند عندما غدا غير فإن فقط في فيه فيها قبل قد كان كانت كل كم كما كيف لا لأن لقد لك لكم لكن لكنه لم لما لن
  له لها لهذا لي ليس ليست ما ماذا مثل مع معه من منذ منه منها نحن نحو نعم هذا هذه هل هم هنا هناك هو هي و وقد وكان ولا ولم وما ومن
  وهو وهي يا يكون يمكن يوم`,
  // Hindi
  `अगर अपना अपनी अपने अब अभी आज आप आपका आपकी आपके इन इस इसका इसकी इसके इसमें इसे उन उनका उनकी उनके उस उसका उसकी उसके उसे एक और कब कभी कर
  करके करता करते करना करने कल कहा कहाँ का काफी कि कितना किया किसी की कुछ के को कोई कौन क्या क्यों गई गए गया घर जब जा जाता जाती जाते
  जाना जैसा जैसे जो तक तब तरह तुम तो था थी थे दिन दिया दो दोनों द्वारा न नहीं ना ने पर पहले फिर बस बहुत बाद बारे बीच भी मगर मत मुझे
  मुझको में मेरा मेरी मेरे मैं यह यहाँ या ये रहा रही रहे लिए लिया लेकिन लोग वह वहाँ वाला वाली वाले वे सकता सकते सब सबसे साथ साल से
  सो हफ़्ते हम हमारा हमारी हमारे हर ही हुआ हुई हुए हूँ है हैं हो होता होती होते होना`,
  // Japanese and Chinese: characters that mostly join others. Hiragana is left out as a whole.
  `一 二 三 人 今 日 年 月 週 時 分 私 何 中 前 後 上 下 大 小 行 来 見 的 是 了 在 我 不 有 他 她 你 们 這 这 那 就 也 和 都 很 会 說 说 到 要 与 為 为 个 個`,
  // Korean
  `가장 같은 거 건 것 것은 것이 계획 그 그것 그냥 그런 그럼 그리고 나 나는 내 내가 내일 너 너무 년 다 다시 더 덕분에 드디어 또 또는 많이 매우 먼저 모두
  무엇 및 바로 번 수 아주 안 어제 어떤 언제 없다 없어요 여기 오늘 왜 우리 의 이 이것 이게 이런 이번 이미 이야기는 이유는 있는 있다 있어요 있을 잘 저
  저는 저도 저의 전 정말 제 제일 조금 좀 주 좋은 좋았던 중 지금 참 하고 하나 하는 하지만 한 한번 할 해 했다 혹시`,
];

/** In the form of indexed words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  LISTS.flatMap((list) => list.normalize('NFKC').toLowerCase().split(/\s+/u)),
);
