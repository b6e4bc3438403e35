/// What the command line asks for.
struct BenchOptions {
  enum Mode {
    case measure
    case baseline(String)
    case check(String)
  }

  var mode = Mode.measure
  /// A tenth of the samples, and short files.
  var isQuick = false
  /// Ten hours of sound besides the hour.
  var isLong = false
  /// Only figures whose name has this in it.
  var filter = ""
  var jsonPath: String?
  /// By how much a ratio may exceed the baseline's, as a share of it.
  var tolerance = 0.25

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    func value(of option: String) throws(UsageError) -> String {
      guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "baseline": mode = .baseline(try value(of: argument))
      case "check": mode = .check(try value(of: argument))
      case "--quick": isQuick = true
      case "--long": isLong = true
      case "--filter": filter = try value(of: argument)
      case "--json": jsonPath = try value(of: argument)
      case "--tolerance":
        guard let share = Double(try value(of: argument)), share >= 0 else {
          throw UsageError("--tolerance is a share, such as 0.25")
        }
        tolerance = share
      default: throw UsageError("there is no '\(argument)'; 'Benchmarks --help' lists what there is")
      }
    }
  }
}

/// What is wrong with the command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A subject whose result is wrong, so that its figures mean nothing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
