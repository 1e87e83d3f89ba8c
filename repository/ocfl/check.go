package ocfl

func checkInventory(doc *document) {}
