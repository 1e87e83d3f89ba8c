self.importedFar = "far";
