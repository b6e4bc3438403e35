import JSON
import RelayLoad

/// Order to a process of a load, a line of JSON on its stdin. The end of stdin ends the process.
enum LoadOrder {
  /// Joins the users of a share from a time on. With seconds, the process reports each second.
  case begin(LoadShare, startNanoseconds: Int, wantsSeconds: Bool)
  /// Listeners of each channel that have joined in other processes.
  case otherListeners([Int])
  /// Lets packets count between two times.
  case count(from: Int, until: Int)
  /// Ends the counting at once.
  case end
  /// Lets the users leave, behind the measurements.
  case leave
}

extension LoadOrder {
  /// The order as a line.
  var text: String {
    var json = JSONWriter()
    json.object { json in
      switch self {
      case .begin(let share, let start, let wantsSeconds):
        json.numbers("begin", [share.index, share.count, start, wantsSeconds ? 1 : 0])
      case .otherListeners(let counts): json.numbers("listeners", counts)
      case .count(let start, let end): json.numbers("count", [start, end])
      case .end: json.field("end", true)
      case .leave: json.field("leave", true)
      }
    }
    return json.text
  }

  /// Reads a line; nil for another one.
  init?(_ line: String) {
    guard let fields = JSONFields(line: line) else { return nil }
    if let numbers = fields.numbers("begin"), numbers.count == 4, numbers[1] > 0, (0..<numbers[1]).contains(numbers[0])
    {
      self = .begin(
        LoadShare(index: numbers[0], count: numbers[1]), startNanoseconds: numbers[2], wantsSeconds: numbers[3] == 1)
    } else if let counts = fields.numbers("listeners") {
      self = .otherListeners(counts)
    } else if let times = fields.numbers("count"), times.count == 2 {
      self = .count(from: times[0], until: times[1])
    } else if fields["end"] != nil {
      self = .end
    } else if fields["leave"] != nil {
      self = .leave
    } else {
      return nil
    }
  }
}
