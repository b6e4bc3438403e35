extension OutputConflicts {
  /// Notes an input.
  package mutating func reads(_ input: InputSource) {
    switch input {
    case .file(let path): reads(path, as: "input")
    case .notUTF8: break
    case .standardInput: readsStandardInput()
    }
  }
}
