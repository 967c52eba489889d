// What the page knows about the words of a language, to compare chunks: words without a meaning of their own, negations,
// numbers, opposites, and endings. Everything else is compared by spelling.

const list = (words) => words.split(" ");
const pairs = (words) => list(words).map((pair) => pair.split("/"));

// light: words that do not make a chunk more specific; numbers: from zero on; endings: removed from words, longest first
export const WORDS = {
  en: {
    light: list(
      "a an the of in on at to with by for from into onto near is are was were be been being am do does did has have " +
        "had its their his her it this that these those there and as 's ' `` ''",
    ),
    negations: list("no not n't never none nobody nothing neither nor without cannot"),
    numbers: list("zero one two three four five six seven eight nine ten eleven twelve"),
    opposites: pairs(
      "open/closed open/shut up/down rise/fall rise/drop gain/lose win/lose winner/loser increase/decrease high/low " +
        "higher/lower big/small large/small long/short tall/short old/young old/new hot/cold warm/cold wet/dry " +
        "fast/slow early/late first/last left/right front/back inside/outside indoors/outdoors above/below over/under " +
        "before/after more/less more/fewer most/least many/few all/none always/never good/bad better/worse best/worst " +
        "true/false right/wrong happy/sad rich/poor strong/weak empty/full light/dark day/night begin/end start/stop " +
        "start/end push/pull buy/sell give/take accept/reject support/oppose agree/disagree allow/ban alive/dead " +
        "live/die love/hate arrive/leave enter/leave awake/asleep on/off north/south east/west",
    ),
    endings: list("ing ies es ed s e"),
  },
  de: {
    light: list(
      "der die das den dem des ein eine einen einem einer eines in im an am auf zu zum zur mit bei von vom für aus und " +
        "ist sind war waren wird werden hat haben hatte hatten es sein seine ihr ihre dieser diese dieses als",
    ),
    negations: list("nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder noch ohne"),
    numbers: list("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
    opposites: pairs(
      "offen/geschlossen auf/zu oben/unten steigen/fallen gewinnen/verlieren hoch/niedrig groß/klein lang/kurz alt/jung " +
        "alt/neu heiß/kalt warm/kalt nass/trocken schnell/langsam früh/spät erste/letzte links/rechts vorn/hinten " +
        "drinnen/draußen über/unter vor/nach mehr/weniger viele/wenige alle/keine immer/nie gut/schlecht besser/schlechter " +
        "wahr/falsch richtig/falsch glücklich/traurig reich/arm stark/schwach leer/voll hell/dunkel tag/nacht " +
        "anfang/ende beginnen/enden kaufen/verkaufen geben/nehmen lebendig/tot lieben/hassen wach/schlafend nord/süd ost/west",
    ),
    endings: list("ern en er es em et te st n s t e"),
  },
  es: {
    light: list(
      "el la los las lo un una unos unas de del en a al con por para desde sobre y es son está están era eran fue fueron " +
        "ha han había su sus este esta estos estas ese esa que se como",
    ),
    negations: list("no nunca jamás nadie nada ninguno ninguna ningún ni sin"),
    numbers: list("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    opposites: pairs(
      "abierto/cerrado arriba/abajo subir/bajar ganar/perder alto/bajo grande/pequeño largo/corto viejo/joven viejo/nuevo " +
        "caliente/frío mojado/seco rápido/lento temprano/tarde primero/último izquierda/derecha delante/detrás " +
        "dentro/fuera encima/debajo antes/después más/menos muchos/pocos todos/ninguno siempre/nunca bueno/malo " +
        "mejor/peor verdadero/falso feliz/triste rico/pobre fuerte/débil vacío/lleno claro/oscuro día/noche " +
        "empezar/terminar comprar/vender dar/tomar vivo/muerto amar/odiar despierto/dormido norte/sur este/oeste",
    ),
    endings: list("ando iendo aba ado ido ar er ir os as es an en a o e s"),
  },
  ar: {
    light: list("في على من إلى عن مع ب ل و هو هي هم كان كانت هذا هذه ذلك تلك التي الذي"),
    negations: list("لا لم لن ليس ليست ما غير بدون دون أبدا"),
    numbers: list("صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة"),
    opposites: pairs(
      "مفتوح/مغلق فوق/تحت كبير/صغير طويل/قصير قديم/جديد حار/بارد سريع/بطيء أول/آخر يمين/يسار أمام/خلف داخل/خارج قبل/بعد " +
        "أكثر/أقل كثير/قليل دائما/أبدا جيد/سيئ صحيح/خطأ سعيد/حزين غني/فقير قوي/ضعيف فارغ/ممتلئ نهار/ليل بداية/نهاية حي/ميت " +
        "شمال/جنوب شرق/غرب",
    ),
    endings: list("ات ون ين ان ها ة ه"),
    article: "ال",
  },
};
