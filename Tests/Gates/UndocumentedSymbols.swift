import Foundation

// Lists the symbols of symbol graph files that have no documentation comment, or one that describes only some of the
// parameters, and leaves with 1 if there are any.

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Location: Decodable {
      struct Position: Decodable { let line: Int }
      let uri: String
      let position: Position
    }
    struct Comment: Decodable {
      struct Line: Decodable { let text: String }
      let lines: [Line]

      /// Names of the parameters that the comment describes.
      var parameters: Set<String> {
        var (names, isList): (Set<String>, Bool) = ([], false)
        for line in lines.map(\.text) {
          if let match = line.firstMatch(of: #/^\s*- Parameter (\w+):/#) { names.insert(String(match.1)) }
          if line.contains("- Parameters:") {
            isList = true
          } else if isList, let match = line.firstMatch(of: #/^\s+- (\w+):/#) {
            names.insert(String(match.1))
          } else if line.hasPrefix("- ") {
            isList = false
          }
        }
        return names
      }
    }
    struct Signature: Decodable {
      struct Parameter: Decodable {
        let name: String
        let internalName: String?
      }
      let parameters: [Parameter]?
    }
    let functionSignature: Signature?
    let pathComponents: [String]
    let docComment: Comment?
    let location: Location?
  }
  struct Module: Decodable { let name: String }
  let module: Module
  let symbols: [Symbol]
}

/// What the compiler adds to every `Hashable` enum without an entry in the source.
let synthesized: Set = ["hash(into:)", "hashValue"]
var total = 0
var undocumented: [String] = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(filePath: path)))
  for symbol in graph.symbols where !synthesized.contains(symbol.pathComponents.last ?? "") {
    total += 1
    let described = symbol.docComment?.parameters ?? []
    // An operator may have the comment of its protocol, with names of parameters of that.
    let isOperator = symbol.pathComponents.last?.first?.isLetter == false
    let missing =
      isOperator
      ? []
      : (symbol.functionSignature?.parameters ?? []).map { $0.internalName ?? $0.name }
        .filter { !described.isEmpty && !described.contains($0) }
    guard symbol.docComment == nil || !missing.isEmpty else { continue }
    let lacking = missing.isEmpty ? "" : ", parameter \(missing.joined(separator: ", "))"
    let name = symbol.pathComponents.joined(separator: ".") + lacking
    let place = symbol.location.map { " (\(URL(string: $0.uri)?.lastPathComponent ?? $0.uri):\($0.position.line + 1))" }
    undocumented.append("\(graph.module.name): \(name)\(place ?? "")")
  }
}
for line in undocumented.sorted() { print(line) }
print("\(total - undocumented.count) of \(total) public symbols are documented")
exit(undocumented.isEmpty ? 0 : 1)
