/// What the command line asks for.
struct GateOptions {
  /// Changes of the graph while it runs.
  var edits = 300
  /// What is done wrong on purpose.
  var plant: Plant?

  init(_ arguments: some Sequence<String>) throws(GateError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch (argument, rest.popFirst()) {
      case ("--edits", let value?):
        guard let count = Int(value), count > 0 else { throw GateError("--edits is a number above 0") }
        edits = count
      case ("--plant", let value?):
        guard let known = Plant(rawValue: value) else { throw GateError("--plant is one of \(Plant.allCases)") }
        plant = known
      default: throw GateError("there is no '\(argument)', or it needs a value")
      }
    }
  }
}
