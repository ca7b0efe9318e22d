//! Glyph names to Unicode, by the Adobe Glyph List specification.
//!
//! `glyph-names` has the list for new fonts (586 names). The table here adds the names of the older, full list for
//! European scripts, punctuation and mathematics, the bracket parts of Symbol, and TeX's ligatures. Names that only
//! number a glyph (`g12`, `cid34`, `index5`) have no text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glyph_names::GLYPH_NAME_PAIRS;

/// Text of a glyph name: usually one character, several for ligatures (`f_f_i`).
pub(crate) fn text(name: &str) -> Option<String> {
    if let Some(c) = single(name) {
        return Some(c.to_string());
    }
    let base = name.split('.').next().filter(|base| !base.is_empty())?;
    let mut text = String::new();
    for part in base.split('_').take(16) {
        match single(part) {
            Some(c) => text.push(c),
            None => text.push_str(&by_number(part)?),
        }
    }
    Some(text)
}

fn single(name: &str) -> Option<char> {
    NAMES.get(name).copied().or_else(|| styled(name))
}

/// Base character of a styled name: `Asmall`, `sevenoldstyle`, `onesuperior`.
fn styled(name: &str) -> Option<char> {
    let base =
        ["small", "oldstyle", "superior", "inferior"].iter().find_map(|suffix| name.strip_suffix(suffix))?;
    NAMES.get(base).copied()
}

/// Text of a name that states code points: `uni20AC`, `uni00410042`, `u1F600`.
fn by_number(name: &str) -> Option<String> {
    let digits = |hex: &str| hex.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(hex) =
        name.strip_prefix("uni").filter(|hex| hex.len() >= 4 && hex.len() % 4 == 0 && digits(hex))
    {
        let units: Option<Vec<u16>> = hex
            .as_bytes()
            .chunks(4)
            .take(16)
            .map(|four| u16::from_str_radix(std::str::from_utf8(four).ok()?, 16).ok())
            .collect();
        return String::from_utf16(&units?).ok();
    }
    let hex = name.strip_prefix('u').filter(|hex| (4..=6).contains(&hex.len()) && digits(hex))?;
    char::from_u32(u32::from_str_radix(hex, 16).ok()?).map(String::from)
}

static NAMES: LazyLock<BTreeMap<&'static str, char>> = LazyLock::new(|| {
    let older = OLDER.split(';').filter_map(|entry| {
        let (name, hex) = entry.trim().split_once(' ')?;
        Some((name, char::from_u32(u32::from_str_radix(hex, 16).ok()?)?))
    });
    older.chain(GLYPH_NAME_PAIRS.iter().map(|&(c, name)| (name, c))).collect()
});

/// `name Unicode`.
const OLDER: &str = "\
AEmacron 1E2; Abreveacute 1EAE; Abrevecyrillic 4D0; Abrevedotbelow 1EB6; Abrevegrave 1EB0;
Abrevehookabove 1EB2; Abrevetilde 1EB4; Acaron 1CD; Acircle 24B6; Acircumflexacute 1EA4;
Acircumflexdotbelow 1EAC; Acircumflexgrave 1EA6; Acircumflexhookabove 1EA8; Acircumflextilde 1EAA;
Acyrillic 410; Adblgrave 200; Adieresiscyrillic 4D2; Adieresismacron 1DE; Adotbelow 1EA0; Adotmacron 1E0;
Ahookabove 1EA2; Aiecyrillic 4D4; Ainvertedbreve 202; Aringbelow 1E00; Bcircle 24B7; Bdotaccent 1E02;
Bdotbelow 1E04; Becyrillic 411; Bhook 181; Blinebelow 1E06; Btopbar 182; Ccedillaacute 1E08; Ccircle 24B8;
Cdot 10A; Cheabkhasiancyrillic 4BC; Checyrillic 427; Chedescenderabkhasiancyrillic 4BE;
Chedescendercyrillic 4B6; Chedieresiscyrillic 4F4; Chekhakassiancyrillic 4CB; Cheverticalstrokecyrillic 4B8;
Chook 187; DZ 1F1; DZcaron 1C4; Dafrican 189; Dcedilla 1E10; Dcircle 24B9; Dcircumflexbelow 1E12;
Ddotaccent 1E0A; Ddotbelow 1E0C; Decyrillic 414; Deicoptic 3EE; Deltagreek 394; Dhook 18A; Digammagreek 3DC;
Djecyrillic 402; Dlinebelow 1E0E; Dslash 110; Dtopbar 18B; Dz 1F2; Dzcaron 1C5; Dzeabkhasiancyrillic 4E0;
Dzecyrillic 405; Dzhecyrillic 40F; Ecedillabreve 1E1C; Ecircle 24BA; Ecircumflexacute 1EBE;
Ecircumflexbelow 1E18; Ecircumflexdotbelow 1EC6; Ecircumflexgrave 1EC0; Ecircumflexhookabove 1EC2;
Ecircumflextilde 1EC4; Ecyrillic 404; Edblgrave 204; Edot 116; Edotbelow 1EB8; Efcyrillic 424;
Ehookabove 1EBA; Eightroman 2167; Einvertedbreve 206; Eiotifiedcyrillic 464; Elcyrillic 41B;
Elevenroman 216A; Emacronacute 1E16; Emacrongrave 1E14; Emcyrillic 41C; Encyrillic 41D;
Endescendercyrillic 4A2; Enghecyrillic 4A4; Enhookcyrillic 4C7; Eopen 190; Ercyrillic 420; Ereversed 18E;
Ereversedcyrillic 42D; Escyrillic 421; Esdescendercyrillic 4AA; Esh 1A9; Etilde 1EBC; Etildebelow 1E1A;
Ezh 1B7; Ezhcaron 1EE; Ezhreversed 1B8; Fcircle 24BB; Fdotaccent 1E1E; Feicoptic 3E4; Fhook 191;
Fitacyrillic 472; Fiveroman 2164; Fourroman 2163; Gacute 1F4; Gammaafrican 194; Gangiacoptic 3EA;
Gcedilla 122; Gcircle 24BC; Gcommaaccent 122; Gdot 120; Gecyrillic 413; Ghemiddlehookcyrillic 494;
Ghestrokecyrillic 492; Gheupturncyrillic 490; Ghook 193; Gjecyrillic 403; Gmacron 1E20; Gsmallhook 29B;
Gstroke 1E4; Haabkhasiancyrillic 4A8; Hadescendercyrillic 4B2; Hardsigncyrillic 42A; Hbrevebelow 1E2A;
Hcedilla 1E28; Hcircle 24BD; Hdieresis 1E26; Hdotaccent 1E22; Hdotbelow 1E24; Horicoptic 3E8; IAcyrillic 42F;
IUcyrillic 42E; Icaron 1CF; Icircle 24BE; Icyrillic 406; Idblgrave 208; Idieresisacute 1E2E;
Idieresiscyrillic 4E4; Idot 130; Idotbelow 1ECA; Iebrevecyrillic 4D6; Iecyrillic 415; Ihookabove 1EC8;
Iicyrillic 418; Iinvertedbreve 20A; Iishortcyrillic 419; Imacroncyrillic 4E2; Iocyrillic 401;
Iotaafrican 196; Istroke 197; Itildebelow 1E2C; Izhitsacyrillic 474; Izhitsadblgravecyrillic 476;
Jcircle 24BF; Jecyrillic 408; Kabashkircyrillic 4A0; Kacute 1E30; Kacyrillic 41A; Kadescendercyrillic 49A;
Kahookcyrillic 4C3; Kastrokecyrillic 49E; Kaverticalstrokecyrillic 49C; Kcaron 1E8; Kcedilla 136;
Kcircle 24C0; Kcommaaccent 136; Kdotbelow 1E32; Khacyrillic 425; Kheicoptic 3E6; Khook 198; Kjecyrillic 40C;
Klinebelow 1E34; Koppacyrillic 480; Koppagreek 3DE; Ksicyrillic 46E; LJ 1C7; Lcedilla 13B; Lcircle 24C1;
Lcircumflexbelow 1E3C; Lcommaaccent 13B; Ldotaccent 13F; Ldotbelow 1E36; Ldotbelowmacron 1E38; Lj 1C8;
Ljecyrillic 409; Llinebelow 1E3A; Macute 1E3E; Mcircle 24C2; Mdotaccent 1E40; Mdotbelow 1E42; Mturned 19C;
NJ 1CA; Ncedilla 145; Ncircle 24C3; Ncircumflexbelow 1E4A; Ncommaaccent 145; Ndotaccent 1E44; Ndotbelow 1E46;
Nhookleft 19D; Nineroman 2168; Nj 1CB; Njecyrillic 40A; Nlinebelow 1E48; Obarredcyrillic 4E8;
Obarreddieresiscyrillic 4EA; Ocaron 1D1; Ocenteredtilde 19F; Ocircle 24C4; Ocircumflexacute 1ED0;
Ocircumflexdotbelow 1ED8; Ocircumflexgrave 1ED2; Ocircumflexhookabove 1ED4; Ocircumflextilde 1ED6;
Ocyrillic 41E; Odblacute 150; Odblgrave 20C; Odieresiscyrillic 4E6; Odotbelow 1ECC; Ohm 2126;
Ohookabove 1ECE; Ohornacute 1EDA; Ohorndotbelow 1EE2; Ohorngrave 1EDC; Ohornhookabove 1EDE; Ohorntilde 1EE0;
Oi 1A2; Oinvertedbreve 20E; Omacronacute 1E52; Omacrongrave 1E50; Omegacyrillic 460; Omegagreek 3A9;
Omegaroundcyrillic 47A; Omegatitlocyrillic 47C; Oneroman 2160; Oogonek 1EA; Oogonekmacron 1EC; Oopen 186;
Ostrokeacute 1FE; Otcyrillic 47E; Otildeacute 1E4C; Otildedieresis 1E4E; Pacute 1E54; Pcircle 24C5;
Pdotaccent 1E56; Pecyrillic 41F; Pemiddlehookcyrillic 4A6; Phook 1A4; Psicyrillic 470; Qcircle 24C6;
Rcedilla 156; Rcircle 24C7; Rcommaaccent 156; Rdblgrave 210; Rdotaccent 1E58; Rdotbelow 1E5A;
Rdotbelowmacron 1E5C; Rinvertedbreve 212; Rlinebelow 1E5E; Rsmallinverted 281; Rsmallinvertedsuperior 2B6;
Sacutedotaccent 1E64; Sampigreek 3E0; Scarondotaccent 1E66; Schwa 18F; Schwacyrillic 4D8;
Schwadieresiscyrillic 4DA; Scircle 24C8; Scommaaccent 218; Sdotaccent 1E60; Sdotbelow 1E62;
Sdotbelowdotaccent 1E68; Sevenroman 2166; Shacyrillic 428; Shchacyrillic 429; Sheicoptic 3E2;
Shhacyrillic 4BA; Shimacoptic 3EC; Sixroman 2165; Softsigncyrillic 42C; Stigmagreek 3DA; Tcedilla 162;
Tcircle 24C9; Tcircumflexbelow 1E70; Tcommaaccent 162; Tdotaccent 1E6A; Tdotbelow 1E6C; Tecyrillic 422;
Tedescendercyrillic 4AC; Tenroman 2169; Tetsecyrillic 4B4; Thook 1AC; Threeroman 2162; Tlinebelow 1E6E;
Tonefive 1BC; Tonesix 184; Tonetwo 1A7; Tretroflexhook 1AE; Tsecyrillic 426; Tshecyrillic 40B;
Twelveroman 216B; Tworoman 2161; Ucaron 1D3; Ucircle 24CA; Ucircumflexbelow 1E76; Ucyrillic 423;
Udblacute 170; Udblgrave 214; Udieresisacute 1D7; Udieresisbelow 1E72; Udieresiscaron 1D9;
Udieresiscyrillic 4F0; Udieresisgrave 1DB; Udieresismacron 1D5; Udotbelow 1EE4; Uhookabove 1EE6;
Uhornacute 1EE8; Uhorndotbelow 1EF0; Uhorngrave 1EEA; Uhornhookabove 1EEC; Uhorntilde 1EEE;
Uhungarumlautcyrillic 4F2; Uinvertedbreve 216; Ukcyrillic 478; Umacroncyrillic 4EE; Umacrondieresis 1E7A;
Upsilonacutehooksymbolgreek 3D3; Upsilonafrican 1B1; Upsilondieresishooksymbolgreek 3D4;
Upsilonhooksymbol 3D2; Ushortcyrillic 40E; Ustraightcyrillic 4AE; Ustraightstrokecyrillic 4B0;
Utildeacute 1E78; Utildebelow 1E74; Vcircle 24CB; Vdotbelow 1E7E; Vecyrillic 412; Vhook 1B2; Vtilde 1E7C;
Wcircle 24CC; Wdotaccent 1E86; Wdotbelow 1E88; Xcircle 24CD; Xdieresis 1E8C; Xdotaccent 1E8A;
Yatcyrillic 462; Ycircle 24CE; Ydotaccent 1E8E; Ydotbelow 1EF4; Yericyrillic 42B; Yerudieresiscyrillic 4F8;
Yhook 1B3; Yhookabove 1EF6; Yicyrillic 407; Ytilde 1EF8; Yusbigcyrillic 46A; Yusbigiotifiedcyrillic 46C;
Yuslittlecyrillic 466; Yuslittleiotifiedcyrillic 468; Zcircle 24CF; Zcircumflex 1E90; Zdot 17B;
Zdotbelow 1E92; Zecyrillic 417; Zedescendercyrillic 498; Zedieresiscyrillic 4DE; Zhebrevecyrillic 4C1;
Zhecyrillic 416; Zhedescendercyrillic 496; Zhedieresiscyrillic 4DC; Zlinebelow 1E94; Zstroke 1B5;
abreveacute 1EAF; abrevecyrillic 4D1; abrevedotbelow 1EB7; abrevegrave 1EB1; abrevehookabove 1EB3;
abrevetilde 1EB5; acaron 1CE; acircle 24D0; acircumflexacute 1EA5; acircumflexdotbelow 1EAD;
acircumflexgrave 1EA7; acircumflexhookabove 1EA9; acircumflextilde 1EAB; acutebelowcmb 317; acutecmb 301;
acutelowmod 2CF; acutetonecmb 341; acyrillic 430; adblgrave 201; adieresiscyrillic 4D3; adieresismacron 1DF;
adotbelow 1EA1; adotmacron 1E1; aemacron 1E3; afii00208 2015; afii08941 20A4; afii10017 410; afii10018 411;
afii10019 412; afii10020 413; afii10021 414; afii10022 415; afii10023 401; afii10024 416; afii10025 417;
afii10026 418; afii10027 419; afii10028 41A; afii10029 41B; afii10030 41C; afii10031 41D; afii10032 41E;
afii10033 41F; afii10034 420; afii10035 421; afii10036 422; afii10037 423; afii10038 424; afii10039 425;
afii10040 426; afii10041 427; afii10042 428; afii10043 429; afii10044 42A; afii10045 42B; afii10046 42C;
afii10047 42D; afii10048 42E; afii10049 42F; afii10050 490; afii10051 402; afii10052 403; afii10053 404;
afii10054 405; afii10055 406; afii10056 407; afii10057 408; afii10058 409; afii10059 40A; afii10060 40B;
afii10061 40C; afii10062 40E; afii10065 430; afii10066 431; afii10067 432; afii10068 433; afii10069 434;
afii10070 435; afii10071 451; afii10072 436; afii10073 437; afii10074 438; afii10075 439; afii10076 43A;
afii10077 43B; afii10078 43C; afii10079 43D; afii10080 43E; afii10081 43F; afii10082 440; afii10083 441;
afii10084 442; afii10085 443; afii10086 444; afii10087 445; afii10088 446; afii10089 447; afii10090 448;
afii10091 449; afii10092 44A; afii10093 44B; afii10094 44C; afii10095 44D; afii10096 44E; afii10097 44F;
afii10098 491; afii10099 452; afii10100 453; afii10101 454; afii10102 455; afii10103 456; afii10104 457;
afii10105 458; afii10106 459; afii10107 45A; afii10108 45B; afii10109 45C; afii10110 45E; afii10145 40F;
afii10146 462; afii10147 472; afii10148 474; afii10193 45F; afii10194 463; afii10195 473; afii10196 475;
afii10846 4D9; afii299 200E; afii300 200F; afii301 200D; afii57636 20AA; afii57664 5D0; afii57665 5D1;
afii57666 5D2; afii57667 5D3; afii57668 5D4; afii57669 5D5; afii57670 5D6; afii57671 5D7; afii57672 5D8;
afii57673 5D9; afii57674 5DA; afii57675 5DB; afii57676 5DC; afii57677 5DD; afii57678 5DE; afii57679 5DF;
afii57680 5E0; afii57681 5E1; afii57682 5E2; afii57683 5E3; afii57684 5E4; afii57685 5E5; afii57686 5E6;
afii57687 5E7; afii57688 5E8; afii57689 5E9; afii57690 5EA; afii57929 2BC; afii61248 2105; afii61289 2113;
afii61352 2116; afii61573 202C; afii61574 202D; afii61575 202E; afii61664 200C; afii64937 2BD;
ahookabove 1EA3; aiecyrillic 4D5; ainvertedbreve 203; alef 5D0; alefhebrew 5D0; allequal 224C;
ampersandsmall 26; angbracketleft 27E8; angbracketright 27E9; angstrom 212B; aparen 249C; apostrophemod 2BC;
apple F8FF; approaches 2250; approxequalorimage 2252; approximatelyequal 2245; arc 2312; arighthalfring 1E9A;
aringbelow 1E01; arrowdashdown 21E3; arrowdashleft 21E0; arrowdashright 21E2; arrowdashup 21E1;
arrowdownleft 2199; arrowdownright 2198; arrowdownwhite 21E9; arrowheaddownmod 2C5; arrowheadleftmod 2C2;
arrowheadrightmod 2C3; arrowheadupmod 2C4; arrowhorizex 23AF; arrowleftdbl 21D0; arrowleftdblstroke 21CD;
arrowleftoverright 21C6; arrowleftwhite 21E6; arrowrightdblstroke 21CF; arrowrightheavy 279E;
arrowrightoverleft 21C4; arrowrightwhite 21E8; arrowtableft 21E4; arrowtabright 21E5; arrowupdownbase 21A8;
arrowupleft 2196; arrowupleftofdown 21C5; arrowupright 2197; arrowupwhite 21E7; arrowvertex 23D0;
ascript 251; ascriptturned 252; asterism 2042; asymptoticallyequal 2243; aturned 250; ayin 5E2;
ayinhebrew 5E2; bcircle 24D1; bdotaccent 1E03; bdotbelow 1E05; beamedsixteenthnotes 266C; because 2235;
becyrillic 431; bet 5D1; betasymbolgreek 3D0; bethebrew 5D1; bhook 253; bilabialclick 298; blackcircle 25CF;
blackdiamond 25C6; blackdownpointingtriangle 25BC; blackleftpointingpointer 25C4;
blackleftpointingtriangle 25C0; blacklowerlefttriangle 25E3; blacklowerrighttriangle 25E2;
blackrectangle 25AC; blackrightpointingpointer 25BA; blackrightpointingtriangle 25B6; blacksmallsquare 25AA;
blacksmilingface 263B; blacksquare 25A0; blackstar 2605; blackupperlefttriangle 25E4;
blackupperrighttriangle 25E5; blackuppointingsmalltriangle 25B4; blackuppointingtriangle 25B2; blank 2423;
blinebelow 1E07; bparen 249D; braceex 23AA; braceleftbt 23A9; braceleftmid 23A8; bracelefttp 23A7;
bracerightbt 23AD; bracerightmid 23AC; bracerighttp 23AB; bracketleftbt 23A3; bracketleftex 23A2;
bracketlefttp 23A1; bracketrightbt 23A6; bracketrightex 23A5; bracketrighttp 23A4; brevebelowcmb 32E;
brevecmb 306; breveinvertedbelowcmb 32F; breveinvertedcmb 311; breveinverteddoublecmb 361;
bridgebelowcmb 32A; bridgeinvertedbelowcmb 33A; bstroke 180; btopbar 183; bulletinverse 25D8;
bulletoperator 2219; bullseye 25CE; candrabinducmb 310; capslock 21EA; careof 2105; caronbelowcmb 32C;
caroncmb 30C; ccedillaacute 1E09; ccircle 24D2; ccurl 255; cdot 10B; cedillacmb 327; centigrade 2103;
centinferior A2; centoldstyle A2; centsuperior A2; cheabkhasiancyrillic 4BD; check 2713; checkmark 2713;
checyrillic 447; chedescenderabkhasiancyrillic 4BF; chedescendercyrillic 4B7; chedieresiscyrillic 4F5;
chekhakassiancyrillic 4CC; cheverticalstrokecyrillic 4B9; chook 188; circleot 2299;
circlewithlefthalfblack 25D0; circlewithrighthalfblack 25D1; circumflexbelowcmb 32D; circumflexcmb 302;
clear 2327; clickalveolar 1C2; clickdental 1C0; clicklateral 1C1; clickretroflex 1C3; clubsuitblack 2663;
clubsuitwhite 2667; colonsign 20A1; colontriangularhalfmod 2D1; colontriangularmod 2D0; commaabovecmb 313;
commaaboverightcmb 315; commainferior 2C; commareversedabovecmb 314; commareversedmod 2BD; commasuperior 2C;
commaturnedabovecmb 312; commaturnedmod 2BB; compass 263C; contourintegral 222E; control 2303; controlDEL 7F;
copyrightsans A9; copyrightserif A9; cparen 249E; cruzeiro 20A2; cstretched 297; curlyand 22CF; curlyor 22CE;
dalet 5D3; dalethebrew 5D3; dasiapneumatacyrilliccmb 485; dblarchinvertedbelowcmb 32B; dblarrowleft 21D4;
dblarrowright 21D2; dblgravecmb 30F; dblintegral 222C; dbllowline 2017; dbllowlinecmb 333;
dbloverlinecmb 33F; dblprimemod 2BA; dblverticalbar 2016; dblverticallineabovecmb 30E; dcedilla 1E11;
dcircle 24D3; dcircumflexbelow 1E13; ddotaccent 1E0B; ddotbelow 1E0D; decyrillic 434; deicoptic 3EF;
deleteleft 232B; deleteright 2326; deltaturned 18D; dezh 2A4; dhook 257; dialytikatonos 385;
dialytikatonoscmb 344; diamondsuitwhite 2662; dieresisbelowcmb 324; dieresiscmb 308; divides 2223;
divisionslash 2215; djecyrillic 452; dlinebelow 1E0F; dmacron 111; dollarinferior 24; dollaroldstyle 24;
dollarsuperior 24; dotaccentcmb 307; dotbelowcmb 323; dotlessjstrokehook 284; dottedcircle 25CC;
downtackbelowcmb 31E; downtackmod 2D5; dparen 249F; dtail 256; dtopbar 18C; dz 1F3; dzaltone 2A3;
dzcaron 1C6; dzcurl 2A5; dzeabkhasiancyrillic 4E1; dzecyrillic 455; dzhecyrillic 45F; earth 2641;
ecedillabreve 1E1D; ecircle 24D4; ecircumflexacute 1EBF; ecircumflexbelow 1E19; ecircumflexdotbelow 1EC7;
ecircumflexgrave 1EC1; ecircumflexhookabove 1EC3; ecircumflextilde 1EC5; ecyrillic 454; edblgrave 205;
edot 117; edotbelow 1EB9; efcyrillic 444; ehookabove 1EBB; eightcircle 2467;
eightcircleinversesansserif 2791; eighteencircle 2471; eighteenparen 2485; eighteenperiod 2499;
eighthnotebeamed 266B; eightinferior 2088; eightparen 247B; eightperiod 248F; eightroman 2177;
eightsuperior 2078; einvertedbreve 207; eiotifiedcyrillic 465; elcyrillic 43B; elevencircle 246A;
elevenparen 247E; elevenperiod 2492; elevenroman 217A; ellipsisvertical 22EE; emacronacute 1E17;
emacrongrave 1E15; emcyrillic 43C; encyrillic 43D; endescendercyrillic 4A3; enghecyrillic 4A5;
enhookcyrillic 4C8; enspace 2002; eopen 25B; eopenclosed 29A; eopenreversed 25C; eopenreversedclosed 25E;
eopenreversedhook 25D; eparen 24A0; equalsuperior 207C; ercyrillic 440; ereversed 258; ereversedcyrillic 44D;
escyrillic 441; esdescendercyrillic 4AB; esh 283; eshcurl 286; eshreversedloop 1AA; eshsquatreversed 285;
etilde 1EBD; etildebelow 1E1B; eturned 1DD; euro 20AC; ezh 292; ezhcaron 1EF; ezhcurl 293; ezhreversed 1B9;
ezhtail 1BA; fahrenheit 2109; fcircle 24D5; fdotaccent 1E1F; feicoptic 3E5; ff FB00; ffi FB03; ffl FB04;
fi FB01; fifteencircle 246E; fifteenparen 2482; fifteenperiod 2496; finalkaf 5DA; finalkafhebrew 5DA;
finalmem 5DD; finalmemhebrew 5DD; finalnun 5DF; finalnunhebrew 5DF; finalpe 5E3; finalpehebrew 5E3;
finaltsadi 5E5; finaltsadihebrew 5E5; firsttonechinese 2C9; fisheye 25C9; fitacyrillic 473; fivecircle 2464;
fivecircleinversesansserif 278E; fiveinferior 2085; fiveparen 2478; fiveperiod 248C; fiveroman 2174;
fivesuperior 2075; fl FB02; forall 2200; fourcircle 2463; fourcircleinversesansserif 278D; fourinferior 2084;
fourparen 2477; fourperiod 248B; fourroman 2173; foursuperior 2074; fourteencircle 246D; fourteenparen 2481;
fourteenperiod 2495; fourthtonechinese 2CB; fparen 24A1; gacute 1F5; gammalatinsmall 263; gammasuperior 2E0;
gangiacoptic 3EB; gcedilla 123; gcircle 24D6; gcommaaccent 123; gdot 121; gecyrillic 433;
geometricallyequal 2251; ghemiddlehookcyrillic 495; ghestrokecyrillic 493; gheupturncyrillic 491; ghook 260;
gimel 5D2; gimelhebrew 5D2; gjecyrillic 453; glottalinvertedstroke 1BE; glottalstop 294;
glottalstopinverted 296; glottalstopmod 2C0; glottalstopreversed 295; glottalstopreversedmod 2C1;
glottalstopreversedsuperior 2E4; glottalstopstroke 2A1; glottalstopstrokereversed 2A2; gmacron 1E21;
gparen 24A2; gravebelowcmb 316; gravecmb 300; gravelowmod 2CE; gravetonecmb 340; greaterequalorless 22DB;
greaterorequivalent 2273; greaterorless 2277; greateroverequal 2267; gscript 261; gstroke 1E5;
haabkhasiancyrillic 4A9; hadescendercyrillic 4B3; hardsigncyrillic 44A; harpoonleftbarbup 21BC;
harpoonrightbarbup 21C0; hbrevebelow 1E2B; hcedilla 1E29; hcircle 24D7; hdieresis 1E27; hdotaccent 1E23;
hdotbelow 1E25; he 5D4; heartsuitblack 2665; heartsuitwhite 2661; hehebrew 5D4; henghook 267; het 5D7;
hethebrew 5D7; hhook 266; hhooksuperior 2B1; hlinebelow 1E96; hookcmb 309; hookpalatalizedbelowcmb 321;
hookretroflexbelowcmb 322; horicoptic 3E9; horizontalbar 2015; horncmb 31B; hotsprings 2668; hparen 24A3;
hsuperior 2B0; hturned 265; hungarumlautcmb 30B; hv 195; hypheninferior 2D; hyphensuperior 2D;
hyphentwo 2010; iacyrillic 44F; icaron 1D0; icircle 24D8; icyrillic 456; idblgrave 209;
ideographicspace 3000; idieresisacute 1E2F; idieresiscyrillic 4E5; idotbelow 1ECB; iebrevecyrillic 4D7;
iecyrillic 435; ihookabove 1EC9; iicyrillic 438; iinvertedbreve 20B; iishortcyrillic 439; ilde 2DC;
imacroncyrillic 4E3; imageorapproximatelyequal 2253; increment 2206; integralbottom 2321; integralex 23AE;
integraltop 2320; iocyrillic 451; iotalatin 269; iparen 24A4; istroke 268; itildebelow 1E2D; iucyrillic 44E;
izhitsacyrillic 475; izhitsadblgravecyrillic 477; jcaron 1F0; jcircle 24D9; jcrossedtail 29D;
jdotlessstroke 25F; jecyrillic 458; jparen 24A5; jsuperior 2B2; kabashkircyrillic 4A1; kacute 1E31;
kacyrillic 43A; kadescendercyrillic 49B; kaf 5DB; kafhebrew 5DB; kahookcyrillic 4C4; kappasymbolgreek 3F0;
kastrokecyrillic 49F; kaverticalstrokecyrillic 49D; kcaron 1E9; kcedilla 137; kcircle 24DA; kcommaaccent 137;
kdotbelow 1E33; khacyrillic 445; kheicoptic 3E7; khook 199; kjecyrillic 45C; klinebelow 1E35;
koppacyrillic 481; koroniscmb 343; kparen 24A6; ksicyrillic 46F; kturned 29E; lambdastroke 19B; lamed 5DC;
lamedhebrew 5DC; largecircle 25EF; lbar 19A; lbelt 26C; lcedilla 13C; lcircle 24DB; lcircumflexbelow 1E3D;
lcommaaccent 13C; ldotaccent 140; ldotbelow 1E37; ldotbelowmacron 1E39; leftangleabovecmb 31A;
lefttackbelowcmb 318; lessequalorgreater 22DA; lessorequivalent 2272; lessorgreater 2276; lessoverequal 2266;
lezh 26E; lhookretroflex 26D; lj 1C9; ljecyrillic 459; llinebelow 1E3B; lmiddletilde 26B;
logicalnotreversed 2310; lowlinecmb 332; lparen 24A7; lsquare 2113; macronbelowcmb 331; macroncmb 304;
macronlowmod 2CD; macute 1E3F; mars 2642; mcircle 24DC; mdotaccent 1E41; mdotbelow 1E43; mem 5DE;
memhebrew 5DE; mhook 271; middot B7; minusbelowcmb 320; minuscircle 2296; minusmod 2D7; minusplus 2213;
mlonglegturned 270; mparen 24A8; mturned 26F; mu1 B5; muchgreater 226B; muchless 226A; mugreek 3BC;
musicflatsign 266D; musicsharpsign 266F; nabla 2207; nbspace A0; ncedilla 146; ncircle 24DD;
ncircumflexbelow 1E4B; ncommaaccent 146; ndotaccent 1E45; ndotbelow 1E47; newsheqelsign 20AA; nhookleft 272;
nhookretroflex 273; ninecircle 2468; ninecircleinversesansserif 2792; nineinferior 2089; nineparen 247C;
nineperiod 2490; nineroman 2178; ninesuperior 2079; nineteencircle 2472; nineteenparen 2486;
nineteenperiod 249A; nj 1CC; njecyrillic 45A; nlegrightlong 19E; nlinebelow 1E49; nonbreakingspace A0;
notcontains 220C; notelementof 2209; notgreater 226F; notgreaternorequal 2271; notgreaternorless 2279;
notidentical 2262; notless 226E; notlessnorequal 2270; notparallel 2226; notprecedes 2280; notsucceeds 2281;
notsuperset 2285; nparen 24A9; nsuperior 207F; numeralsigngreek 374; numeralsignlowergreek 375; numero 2116;
nun 5E0; nunhebrew 5E0; obarred 275; obarredcyrillic 4E9; obarreddieresiscyrillic 4EB; ocaron 1D2;
ocircle 24DE; ocircumflexacute 1ED1; ocircumflexdotbelow 1ED9; ocircumflexgrave 1ED3;
ocircumflexhookabove 1ED5; ocircumflextilde 1ED7; ocyrillic 43E; odblacute 151; odblgrave 20D;
odieresiscyrillic 4E7; odotbelow 1ECD; ogonekcmb 328; ohookabove 1ECF; ohornacute 1EDB; ohorndotbelow 1EE3;
ohorngrave 1EDD; ohornhookabove 1EDF; ohorntilde 1EE1; oi 1A3; oinvertedbreve 20F; omacronacute 1E53;
omacrongrave 1E51; omegacyrillic 461; omegalatinclosed 277; omegaroundcyrillic 47B; omegatitlocyrillic 47D;
onecircle 2460; onecircleinversesansserif 278A; onefitted 31; oneinferior 2081; oneparen 2474;
oneperiod 2488; oneroman 2170; onesuperior B9; oogonek 1EB; oogonekmacron 1ED; oopen 254; oparen 24AA;
option 2325; ostrokeacute 1FF; otcyrillic 47F; otildeacute 1E4D; otildedieresis 1E4F; overline 203E;
overlinecmb 305; overscore AF; pacute 1E55; pagedown 21DF; pageup 21DE; palatalizationcyrilliccmb 484;
palochkacyrillic 4C0; parallel 2225; parenleftbt 239D; parenleftex 239C; parenleftinferior 28;
parenleftsuperior 28; parenlefttp 239B; parenrightbt 23A0; parenrightex 239F; parenrightinferior 29;
parenrightsuperior 29; parenrighttp 239E; pcircle 24DF; pdotaccent 1E57; pe 5E4; pecyrillic 43F;
pehebrew 5E4; pemiddlehookcyrillic 4A7; periodinferior 2E; periodsuperior 2E; perispomenigreekcmb 342;
philatin 278; phisymbolgreek 3D5; phook 1A5; pisymbolgreek 3D6; plusbelowcmb 31F; pluscircle 2295;
plusmod 2D6; plussuperior 207A; pointingindexdownwhite 261F; pointingindexleftwhite 261C;
pointingindexrightwhite 261E; pointingindexupwhite 261D; pparen 24AB; precedes 227A; primemod 2B9;
primereversed 2035; projective 2305; propellor 2318; proportion 2237; psicyrillic 471;
psilipneumatacyrilliccmb 486; qcircle 24E0; qhook 2A0; qof 5E7; qofhebrew 5E7; qparen 24AC; quarternote 2669;
questiongreek 37E; quoteleftreversed 201B; quoterightn 149; radicalex 203E; ramshorn 264; ratio 2236;
rcedilla 157; rcircle 24E1; rcommaaccent 157; rdblgrave 211; rdotaccent 1E59; rdotbelow 1E5B;
rdotbelowmacron 1E5D; referencemark 203B; registersans AE; registerserif AE; resh 5E8; reshhebrew 5E8;
reversedtilde 223D; rfishhook 27E; rfishhookreversed 27F; rhook 27D; rhookturned 27B;
rhookturnedsuperior 2B5; rhosymbolgreek 3F1; rhotichookmod 2DE; rightangle 221F; righttackbelowcmb 319;
righttriangle 22BF; ringbelowcmb 325; ringcmb 30A; ringhalfleft 2BF; ringhalfleftbelowcmb 31C;
ringhalfleftcentered 2D3; ringhalfright 2BE; ringhalfrightbelowcmb 339; ringhalfrightcentered 2D2;
rinvertedbreve 213; rlinebelow 1E5F; rlongleg 27C; rlonglegturned 27A; rparen 24AD; rturned 279;
rturnedsuperior 2B4; rupiah 20A8; sacutedotaccent 1E65; samekh 5E1; samekhhebrew 5E1; scarondotaccent 1E67;
schwa 259; schwacyrillic 4D9; schwadieresiscyrillic 4DB; schwahook 25A; scircle 24E2; scommaaccent 219;
sdotaccent 1E61; sdotbelow 1E63; sdotbelowdotaccent 1E69; seagullbelowcmb 33C; secondtonechinese 2CA;
sevencircle 2466; sevencircleinversesansserif 2790; seveninferior 2087; sevenparen 247A; sevenperiod 248E;
sevenroman 2176; sevensuperior 2077; seventeencircle 2470; seventeenparen 2484; seventeenperiod 2498;
sfthyphen AD; shacyrillic 448; shadedark 2593; shadelight 2591; shademedium 2592; shchacyrillic 449;
sheicoptic 3E3; sheqel 20AA; sheqelhebrew 20AA; shhacyrillic 4BB; shimacoptic 3ED; shin 5E9; shinhebrew 5E9;
shook 282; sigmafinal 3C2; sigmalunatesymbolgreek 3F2; sixcircle 2465; sixcircleinversesansserif 278F;
sixinferior 2086; sixparen 2479; sixperiod 248D; sixroman 2175; sixsuperior 2076; sixteencircle 246F;
sixteenparen 2483; sixteenperiod 2497; slong 17F; slongdotaccent 1E9B; softhyphen AD; softsigncyrillic 44C;
soliduslongoverlaycmb 338; solidusshortoverlaycmb 337; spacehackarabic 20; spadesuitblack 2660;
spadesuitwhite 2664; sparen 24AE; squarebelowcmb 33B; squarediagonalcrosshatchfill 25A9;
squarehorizontalfill 25A4; squareorthogonalcrosshatchfill 25A6; squareupperlefttolowerrightfill 25A7;
squareupperrighttolowerleftfill 25A8; squareverticalfill 25A5; squarewhitewithsmallblack 25A3;
strokelongoverlaycmb 336; strokeshortoverlaycmb 335; subset 2282; subsetnotequal 228A; subsetorequal 2286;
succeeds 227B; superset 2283; supersetnotequal 228B; supersetorequal 2287; tackdown 22A4; tackleft 22A3;
tav 5EA; tavhebrew 5EA; tccurl 2A8; tcedilla 163; tcircle 24E3; tcircumflexbelow 1E71; tcommaaccent 163;
tdieresis 1E97; tdotaccent 1E6B; tdotbelow 1E6D; tecyrillic 442; tedescendercyrillic 4AD; telephone 2121;
telephoneblack 260E; tencircle 2469; tenparen 247D; tenperiod 2491; tenroman 2179; tesh 2A7; tet 5D8;
tethebrew 5D8; tetsecyrillic 4B5; thereexists 2203; thetasymbolgreek 3D1; thirteencircle 246C;
thirteenparen 2480; thirteenperiod 2494; thook 1AD; thousandcyrillic 482; threecircle 2462;
threecircleinversesansserif 278C; threeinferior 2083; threeparen 2476; threeperiod 248A;
threequartersemdash 2014; threeroman 2172; threesuperior B3; tildebelowcmb 330; tildecmb 303;
tildedoublecmb 360; tildeoperator 223C; tildeoverlaycmb 334; tildeverticalcmb 33E; timescircle 2297;
titlocyrilliccmb 483; tlinebelow 1E6F; tonebarextrahighmod 2E5; tonebarextralowmod 2E9; tonebarhighmod 2E6;
tonebarlowmod 2E8; tonebarmidmod 2E7; tonefive 1BD; tonesix 185; tonetwo 1A8; tpalatalhook 1AB; tparen 24AF;
trademarksans 2122; trademarkserif 2122; tretroflexhook 288; ts 2A6; tsadi 5E6; tsadihebrew 5E6;
tsecyrillic 446; tshecyrillic 45B; tturned 287; twelvecircle 246B; twelveparen 247F; twelveperiod 2493;
twelveroman 217B; twentycircle 2473; twentyparen 2487; twentyperiod 249B; twocircle 2461;
twocircleinversesansserif 278B; twodotleader 2025; twoinferior 2082; twoparen 2475; twoperiod 2489;
tworoman 2171; twostroke 1BB; twosuperior B2; ubar 289; ucaron 1D4; ucircle 24E4; ucircumflexbelow 1E77;
ucyrillic 443; udblacute 171; udblgrave 215; udieresisacute 1D8; udieresisbelow 1E73; udieresiscaron 1DA;
udieresiscyrillic 4F1; udieresisgrave 1DC; udieresismacron 1D6; udotbelow 1EE5; uhookabove 1EE7;
uhornacute 1EE9; uhorndotbelow 1EF1; uhorngrave 1EEB; uhornhookabove 1EED; uhorntilde 1EEF;
uhungarumlautcyrillic 4F3; uinvertedbreve 217; ukcyrillic 479; umacroncyrillic 4EF; umacrondieresis 1E7B;
uparen 24B0; upsilonlatin 28A; uptackbelowcmb 31D; uptackmod 2D4; ushortcyrillic 45E; ustraightcyrillic 4AF;
ustraightstrokecyrillic 4B1; utildeacute 1E79; utildebelow 1E75; vav 5D5; vavhebrew 5D5; vcircle 24E5;
vdotbelow 1E7F; vecyrillic 432; venus 2640; verticalbar 7C; verticallineabovecmb 30D;
verticallinebelowcmb 329; verticallinelowmod 2CC; verticallinemod 2C8; vhook 28B; visiblespace 2423;
vparen 24B1; vtilde 1E7D; vturned 28C; wcircle 24E6; wdotaccent 1E87; wdotbelow 1E89; whitebullet 25E6;
whitecircle 25CB; whitecircleinverse 25D9; whitediamond 25C7; whitediamondcontainingblacksmalldiamond 25C8;
whitedownpointingsmalltriangle 25BF; whitedownpointingtriangle 25BD; whiteleftpointingsmalltriangle 25C3;
whiteleftpointingtriangle 25C1; whiterightpointingsmalltriangle 25B9; whiterightpointingtriangle 25B7;
whitesmallsquare 25AB; whitesmilingface 263A; whitesquare 25A1; whitestar 2606; whitetelephone 260F;
whiteuppointingsmalltriangle 25B5; whiteuppointingtriangle 25B3; won 20A9; wparen 24B2; wring 1E98;
wsuperior 2B7; wturned 28D; wynn 1BF; xabovecmb 33D; xcircle 24E7; xdieresis 1E8D; xdotaccent 1E8B;
xparen 24B3; xsuperior 2E3; yatcyrillic 463; ycircle 24E8; ydotaccent 1E8F; ydotbelow 1EF5; yericyrillic 44B;
yerudieresiscyrillic 4F9; yhook 1B4; yhookabove 1EF7; yicyrillic 457; yinyang 262F; yod 5D9; yodhebrew 5D9;
yotgreek 3F3; yparen 24B4; ypogegrammeni 37A; ypogegrammenigreekcmb 345; yr 1A6; yring 1E99; ysuperior 2B8;
ytilde 1EF9; yturned 28E; yusbigcyrillic 46B; yusbigiotifiedcyrillic 46D; yuslittlecyrillic 467;
yuslittleiotifiedcyrillic 469; zayin 5D6; zayinhebrew 5D6; zcircle 24E9; zcircumflex 1E91; zcurl 291;
zdot 17C; zdotbelow 1E93; zecyrillic 437; zedescendercyrillic 499; zedieresiscyrillic 4DF; zeroinferior 2080;
zerosuperior 2070; zerowidthnonjoiner 200C; zerowidthspace 200B; zhebrevecyrillic 4C2; zhecyrillic 436;
zhedescendercyrillic 497; zhedieresiscyrillic 4DD; zlinebelow 1E95; zparen 24B5; zretroflexhook 290;
zstroke 1B6";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_text_of_the_glyph_list() {
        for (name, expected) in [
            ("A", Some("A")),
            ("space", Some(" ")),
            ("fi", Some("\u{FB01}")),
            ("f_f_i", Some("ffi")),
            ("A.swash", Some("A")),
            ("uni20AC", Some("€")),
            ("uni00410042", Some("AB")),
            ("u1F600", Some("😀")),
            ("Lcommaaccent", Some("Ļ")),
            ("sevenoldstyle", Some("7")),
            ("Asmall", Some("A")),
            ("alpha", Some("α")),
            ("registerserif", Some("®")),
            ("g12", None),
            ("cid34", None),
            (".notdef", None),
            ("unicorn", None),
        ] {
            assert_eq!(text(name).as_deref(), expected, "{name}");
        }
    }
}
