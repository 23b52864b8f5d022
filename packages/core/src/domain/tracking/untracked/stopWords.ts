/**
 * Words that headings and heads of list items begin with in nine languages, and that no name of a brand begins with.
 */
const words = `
a about accessories ac additional advantages advice affordable after aftermarket ai also alternative alternatives among amount an and annual any app apps are as ask at
audience availability available avoid award awards basic battery before beginner beginners benefit benefits best better bonus bottom brand brands build budget but buy buyer
buyers buying by capacity care caution certainly check choice choices choose choosing cleaning color colors comfort common compact compare comparison compatibility con conclusion cons connectivity
consider considerations control controls cost costs coverage current customer customization data day deal deals delivery description design details dimensions disadvantages discount display do does downsides
drawbacks durability durable ease easy editor elite entry ergonomics essential everyday example examples excellent expert extra factors faq feature features fees fewer final finally fit for frequently from full
gaming general get give guide guides have heat here high higher highlight highlights honorable honourable how however i ideal if important in includes installation integration integrations is it items just keep key
large last learn least lightweight list long look looking low lower luxury main maintenance make material materials maximum mid mid-range minimum model models money more most my name need needs new
next no noise not note notes notable now of offer offers on online open operating option options or other others our overall overview payment performance perfect perks pick picks platform
please plus point popular portability portable possible potential power premium price prices pricing pro product products pros protip purpose quality question questions quick range rating ratings read reasons recommendation
recommendations recommended redemption reliability remember resolution results return review reviews rewards runner runner-up safety save score screen security see select self series service set setup shipping shop simplicity size sizes solid some
sound source sources specialty specifications specs specific speed standout start step storage strength strengths strong style suitable suitability summary support sure sustainability sync table takeaway takeaways technical technology tell
that the then there these things think this those tier tip tips to top total travel trial try type types typical under understand upgrade usage use user users using value verdict versatile versatility versus very view want warranty
watch we weaknesses weight welcome well what when where which while who why wide will wireless with within works would yes you your
aber akku akkulaufzeit alle alternative alternativen anbieter anwendung auch auf ausstattung auswahl bedienung beim bei beispiel benutzerfreundlichkeit besonderheit besonderheiten bewertung das datenschutz dazu der die dies diese ein eine einfache einsatz
empfehlung empfehlungen ergebnis fazit funktionen funktionsumfang für geeignet gesamt gesamtsieger größe gründe günstig günstige hersteller hinweis hinweise ideal ihre im integrationen kategorie komfort kosten kriterien leistung lautstärke material mein mit
modell modelle nachteile nutzung oder ohne platz positiv preis preise preis-leistung preis-leistungs-sieger preisspanne qualität reinigung schwächen sicherheit stärken support tipp tipps top typ über übersicht und verarbeitung verfügbarkeit vergleich vorteile warum was weitere welche
wenn wichtig wichtige wie worauf zielgruppe zubehör zusammenfassung
à à-propos adapté atouts autres autonomie avantages avec avis bien bon bonne budget caractéristiques ce ces choix comment comparaison comparatif conclusion confort conseil conseils critères dans de des du elle en est et facilité fonctionnalités forces idéal inconvénients
inconvenients intégrations leur limites marque meilleur meilleure meilleures meilleurs mes mon moyen notre nos note ou par performance petit petite points polyvalent polyvalence pour pourquoi points-forts prix puissance qualité quand que quel quelle quelques rapport recommandation résumé robustesse
sécurité si son tableau taille tarif tarifs un une usage utilisation verdict voici votre vous
al algunas algunos aspectos batería características calidad comodidad cómo comparación conclusión con consejo consejos consideraciones contras criterios cuál cuando de desventajas diseño durabilidad ella en es este esta esto facilidad factores función funciones ideal
información instalación lo marca material materiales mejor mejores mi modelo nota opción opciones otra otras otros para peso por precio precios principales puntos qué razón recomendación recomendaciones relación resumen según si sin soporte su sus tamaño tipo también una uno ventajas versatilidad y
alcune altri altre assistenza autonomia batteria caratteristiche che come con confronto conclusione consigli consiglio convenienza costi costo da dei del della delle design di dimensioni durata e economico facilità funzioni i ideale in lo materiale materiali migliore migliori
modello nota opzioni per perché prestazioni prezzi prezzo principali qualità quale quali rapporto riepilogo scelta se sicurezza sono svantaggi tabella un una uso vantaggi versatilità
ao as bateria benefícios características como comparação conclusão conforto considerações critérios custo da das de desvantagens dicas do dos durabilidade em facilidade funcionalidades mais marca melhor melhores na no nas nos nota o opções os outras outros para peso pontos por porque preço preços
qual quais qualidade recomendação recomendações resumo se segurança sem tamanho tipo um uma uso vantagens
aandachtspunten advies alternatieven beste beoordeling conclusie comfort een en extra gebruik gebruiksgemak geschikt goede het hoe ideaal in kenmerken kosten kwaliteit let materiaal meer merk met minpunten nadelen of onderhoud ontwerp op opties overige pluspunten prijs prijzen prestaties
samenvatting tip tips van veiligheid vergelijking voor voordelen waarom waar wat welke wie
aby ale alternatywy bateria bezpieczeństwo cena ceny cechy co czas czy dla dlaczego dobra dobre dobry dodatkowe gdzie i idealny idealne inne integracje jak jaki jakie jakość jeśli kiedy koszt koszty które kryteria lub łatwość marka materiał materiały minusy model modele na najlepsza najlepsze najlepszy najtańszy
nasza o obsługa ocena oraz podsumowanie plusy polecane popularne porównanie praktyczne rekomendacja rozmiar ranking to twoje uwaga wady waga warto wniosek wydajność wskazówki wszechstronność wybór zalety zastosowanie
`.trim().split(/\s+/)

const stopWords: ReadonlySet<string> = new Set(words)

/** Whether a heading's first word tells that it is no name. */
export const isStopWord = (word: string): boolean => {
  const lower = word.toLowerCase()
  return stopWords.has(lower) || stopWords.has(lower.split(/[-’'/]/, 1)[0]!) && /[-/]/.test(lower)
}
