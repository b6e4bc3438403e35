/// Where one job reads from.
enum InputSource: Hashable, Sendable {
  case standardInput
  case file(String)

  /// The input that an argument names, `-` being stdin.
  init(_ argument: String) { self = argument == "-" ? .standardInput : .file(argument) }

  /// The input as messages name it.
  var name: String {
    switch self {
    case .standardInput: "stdin"
    case .file(let path): path
    }
  }
}
