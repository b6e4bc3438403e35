import JSON
import RelayClient
import RelayLoad
import Signalling

/// Values that the processes of a load exchange.
extension JSONFields {
  /// Reads a line with an object; nil for another line.
  init?(line: String) {
    guard case .object(let fields) = try? JSONReader.read(line) else { return nil }
    self.init(fields)
  }

  /// Returns a whole number; nil if there is none.
  func number(_ key: String) -> Int? { self[key]?.wholeNumber }

  /// Returns a list of whole numbers; nil if there is none.
  func numbers(_ key: String) -> [Int]? {
    guard case .array(let values) = self[key] else { return nil }
    let numbers = values.compactMap(\.wholeNumber)
    return numbers.count == values.count ? numbers : nil
  }

  /// Returns a text; nil if there is none.
  func text(_ key: String) -> String? { if case .text(let text) = self[key] { text } else { nil } }

  /// Returns a distribution; nil if there is none.
  func distribution(_ key: String) -> DelayDistribution? {
    guard let numbers = numbers(key), let maximum = numbers.first, numbers.count % 2 == 1 else { return nil }
    let filled = stride(from: 1, to: numbers.count, by: 2).map { (bucket: numbers[$0], count: numbers[$0 + 1]) }
    return DelayDistribution(filled: filled, maximumNanoseconds: maximum)
  }

  /// Returns counts; nil if there are none.
  func counts(_ key: String) -> LoadCounts? { numbers(key).flatMap(LoadCounts.init(values:)) }

  /// Returns failures; nil if there are none, as in a state in which they have not changed.
  func failures(_ key: String) -> [(error: ChannelError, count: Int)]? {
    guard case .array(let values) = self[key] else { return nil }
    let failures = values.compactMap { value -> (error: ChannelError, count: Int)? in
      guard case .object(let list) = value else { return nil }
      let fields = JSONFields(list)
      guard let count = fields.number("count"), let code = fields.number("code"), let message = fields.text("message")
      else { return nil }
      let limit = fields.text("limit").flatMap { name in
        fields.number("value").map { NamedLimit(name: name, value: Int64($0), setting: fields.text("setting")) }
      }
      return (ChannelError(ChannelErrorCode(rawValue: code) ?? .general, message, limit: limit), count)
    }
    return failures.count == values.count ? failures : nil
  }
}

extension JSONValue {
  fileprivate var wholeNumber: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

extension JSONWriter {
  /// Writes a list of numbers.
  mutating func numbers(_ key: String, _ numbers: [Int]) {
    array(key) { json in for number in numbers { json.value(number) } }
  }

  /// Writes the longest delay, and then index and count of each bucket.
  mutating func field(_ key: String, _ delays: DelayDistribution) {
    numbers(key, [delays.maximumNanoseconds] + delays.filled.flatMap { [$0.bucket, $0.count] })
  }

  /// Writes failures.
  mutating func field(_ key: String, _ failures: [(error: ChannelError, count: Int)]) {
    array(key) { json in
      for (error, count) in failures {
        json.object { json in
          json.field("count", count)
          json.field("code", error.code.rawValue)
          json.field("message", error.message)
          guard let limit = error.limit else { return }
          json.field("limit", limit.name)
          json.field("value", Int(limit.value))
          if let setting = limit.setting { json.field("setting", setting) }
        }
      }
    }
  }
}
