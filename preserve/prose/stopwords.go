package prose

// lists are the stop words of each language: articles, pronouns, prepositions, conjunctions,
// auxiliary verbs, and adverbs as common as these. Words with an apostrophe are in their written
// form.
var lists = map[string]string{
	"en": `a about above after again against all also although am an and another any are aren't as at be ` +
		`because been before being below between
both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each either ` +
		`etc even ever every few for from further
get had hadn't has hasn't have haven't having he her here hers herself him himself his how however i i'm i've ` +
		`if in into is isn't it it's its itself
just let like made make many may me might more most much must my myself neither no nor not now of off often ` +
		`on once one only onto or other others
our ours ourselves out over own per rather same she should shouldn't since so some still such than that ` +
		`that's the their theirs them themselves then
there there's therefore these they this those though through thus to too two under until up upon us use used ` +
		`using very via was wasn't we were
weren't what when where whether which while who whom whose why will with within without won't would wouldn't ` +
		`yet you your yours yourself yourselves`,

	"fr": `à a afin ai ainsi alors après as au aucun aucune aujourd'hui auquel aussi autre autres aux avant ` +
		`avec avoir avons avait avaient ayant c'est car ce
ceci cela celle celles celui cependant ces cet cette ceux chaque chez ci comme comment d'un d'une dans de ` +
		`depuis des deux dès doit doivent donc dont du
elle elles en encore entre est et étaient était étant été être eu eux fait faire faut fois font hors ici il ` +
		`ils j'ai je jusqu la là le les leur leurs
lors lorsque lui ma mais malgré me même mêmes mes moi moins mon n'a n'est ne ni non nos notre nous on ont ou ` +
		`où par parce pas pendant peu peut peuvent
plus plusieurs pour pourquoi puis qu'il qu'elle qu'on qu'un qu'une quand que quel quelle quelles quels qui ` +
		`quoi s'il s'est sa sans se sera seront ses si
soi soit son sont sous sur ta te tel telle telles tels tes toi ton tous tout toute toutes très trop tu un une ` +
		`vers voici voilà vos votre vous y`,

	"de": `ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus ` +
		`außerdem bei beim bereits bin bis bist bzw da
dabei dadurch daher damit danach dann daran darauf daraus das dass daß davon dazu dein deine dem den denen ` +
		`denn der deren des dessen dich die dies diese
diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwa etwas ` +
		`euch euer für gegen gibt hab habe haben hat
hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins ist ja jede ` +
		`jedem jeden jeder jedes jedoch jetzt kann
kein keine keinem keinen keiner können könnte man manche mehr mein meine mich mir mit muss müssen nach nicht ` +
		`nichts noch nun nur ob oder ohne sehr sein
seine seinem seinen seiner seit selbst sich sie sind so sobald sogar solche soll sollen sollte sondern sonst ` +
		`sowie über um und uns unser unsere unter
vom von vor wann war waren warum was weder wegen weil weiter welche welchem welchen welcher welches wenn wer ` +
		`werden wie wieder will wir wird wo wobei
wollen worden wurde wurden würde zu zum zur zwar zwischen`,

	"nl": `aan al alle alleen als altijd ander andere anders ben bent bij binnen bijna daar daarna daarom dan ` +
		`dat de deze die dit doen door dus een één echter
eens en enige enkele er erg ervan even geen geweest goed had hadden heb hebben hebt heeft hem hen het hier ` +
		`hij hoe hoewel hun iemand iets ik in is ja je
jij jou jouw jullie kan kon konden kunnen kunt maar maken me meer meest men met mij mijn moest moet moeten ` +
		`mogen na naar nadat niet niets nog nooit nu of
om omdat onder ons onze ook op over per reeds sinds sommige steeds te tegen terwijl toch toen tot tussen u ` +
		`uit uw van vanaf vandaag veel verder via voor
vooral voordat waar waarbij waarin waarom waren was wat we weer wel welke werd werden wie wij wil willen word ` +
		`worden wordt zal ze zei zeer zelf zich zij
zijn zo zoals zonder zou zouden zowel zullen`,

	"es": `a al algo algunas algunos alguna alguno ante antes aquel aquella aquí así aun aún aunque bajo bien ` +
		`cada casi como cómo con contra cual cuál cuales
cuando cuándo cuanto cuyo da de debe deben del desde después donde dónde dos durante e el él ella ellas ellos ` +
		`en entonces entre era eran eres es esa esas
ese eso esos esta está están estaba estar este esto estos estas etc fue fueron ha había han has hasta hay ` +
		`hace hacer hacia he incluso la las le les lo los
luego más me menos mi mí mientras mis misma mismas mismo mismos mucho muchos muy nada ni ningún ninguna no ` +
		`nos nosotros nuestra nuestras nuestro nuestros o
os otra otras otro otros para pero poco por porque pues puede pueden que qué quien quién quienes se sea según ` +
		`ser será si sí sido siempre sin sino sobre
solo sólo somos son soy su sus suya suyo tal también tampoco tan tanto te tener tiene tienen toda todas ` +
		`todavía todo todos tras tu tú tus un una unas uno
unos usted ustedes va van vez y ya yo`,

	"it": `a abbiamo ad agli ai al alcune alcuni all' alla alle allo altra altre altri altro anche ancora ` +
		`avere aveva avevano ben c'è che chi ci cioè coi col
come con così cui da dagli dai dal dalla dalle dallo degli dei del della delle dello deve devono di dopo dove ` +
		`due dunque e è ed egli era erano essa esse
essere essi fa fare fino fra fu furono già gli ha hai hanno ho i il in infatti invece io la le lei li lo loro ` +
		`lui ma me meno mentre mi mia mie miei mio
molte molti molto ne né negli nei nel nella nelle nello noi non nostra nostre nostri nostro o ogni oltre ` +
		`oppure per però perché più poi possono può prima
proprio qua qual quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui ` +
		`quindi sarà se sei sempre senza si sia siamo
sono sopra sotto sta stata state stati stato stesso su sua sue sugli sui sul sulla sulle suo suoi tale tali ` +
		`tanto te tra troppo tu tua tuo tutta tutte
tutti tutto un un' una uno va verso vi voi vostra vostro`,

	"pt": `a à agora ainda além algum alguma algumas alguns ao aos apenas após aquela aquele aqueles as às ` +
		`assim até bem cada com como contra contudo da das de
dela dele deles depois desde dessa desse desta deste deve do dois dos durante e é ela elas ele eles em embora ` +
		`enquanto entre era eram essa essas esse esses
esta está estão estas estava este estes eu foi foram há isso isto já la lhe lhes lo logo mais mas me mesma ` +
		`mesmo meu meus minha muito muitos na nas nem no
nos nós nossa nosso num numa não o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem ` +
		`pois por porque porém quais qual quando quanto
que quem se seja sem sempre ser será seu seus sido sob sobre sua suas são só tal também tanto te tem têm ter ` +
		`teve toda todas todo todos tua tu um uma umas
uns vez você vocês`,

	"da": `ad af alle alt anden andet at bare blev blive bliver bl.a da de dem den denne der deres derfor det ` +
		`dette dig din disse dit dog du efter ej eller en
end endnu er et fik for fordi fra få får før først gennem gør ham han hans har havde have hende hendes her ` +
		`hos hun hvad hver hvilke hvilken hvis hvor hvordan
hvorfor i ifølge igen ikke ind ingen intet ja jeg jer kan kun kunne lige lå man mange med meget mellem men ` +
		`mens mere mig min mit mod må måtte ned nej ni
nogen noget nogle nok nu når næsten og også om omkring op os over på samme samt se selv ser sig sin sine sit ` +
		`skal skulle som stadig så sådan til ud uden
under var ved vi vil ville vor være været`,

	"sv": `alla allt att av bara blev bli blir de dem den denna deras dess dessa det detta dig din dina ditt ` +
		`du där därför då efter ej eller en er ett från för
före genom ha hade han hans har hela henne hennes hon honom hos hur här i icke igen in ingen inget inom inte ` +
		`ja jag kan kommer kunde man med mellan men
mer mig min mina mitt mot mycket måste ni nog nu någon något några när och också om oss på redan samma samt ` +
		`sedan ser sig sin sina sitt ska skall skulle
som så sådan till under upp ut utan vad var vara varit varje vem vid vilka vilken vilket vill vår våra än ` +
		`ännu är även över`,
}
