import CommandLineKit
import Glibc
import JSON

/// The line that shows a level and a time while a command runs, redrawn in place.
///
///     0:12.3 [##########------|---------]  -18.4 dB  space: pause, q: end
struct MeterLine {
  /// Level at the left end of the bar, in dBFS.
  private static let floor = -60.0
  private static let barWidth = 30
  /// Time for which the highest peak is kept, in redraws.
  private static let holdCount = 15

  private var held = floor
  private var heldFor = 0

  /// Returns the line for a level.
  ///
  /// - Parameters:
  ///   - level: Peak since the previous line, in dBFS; nil for silence.
  ///   - seconds: Time that has passed.
  ///   - state: Words behind the level.
  ///   - width: Columns of the terminal.
  mutating func text(level: Double?, seconds: Double, state: String, width: Int) -> String {
    let value = max(Self.floor, level ?? Self.floor)
    heldFor += 1
    if value >= held || heldFor > Self.holdCount { (held, heldFor) = (value, 0) }
    func column(_ decibels: Double) -> Int {
      min(Self.barWidth - 1, Int((decibels - Self.floor) / -Self.floor * Double(Self.barWidth)))
    }
    var bar = Array(repeating: Character("-"), count: Self.barWidth)
    if level != nil { for index in 0...column(value) { bar[index] = "#" } }
    if held > Self.floor { bar[column(held)] = "|" }
    let number = level == nil ? "-inf" : JSONWriter.digits(value, 1)
    let padding = String(repeating: " ", count: max(0, 7 - number.count))
    let line = "\(Self.clock(seconds)) [\(String(bar))] \(padding)\(number) dB  \(state)"
    return String(line.prefix(max(1, width - 1)))
  }

  /// Returns `0:12.3`, or `1:02:12.3` from an hour on.
  static func clock(_ seconds: Double) -> String {
    let tenths = Int(seconds * 10)
    let (minutes, rest) = (tenths / 600, tenths % 600)
    let tail = (rest < 100 ? "0" : "") + "\(rest / 10).\(rest % 10)"
    if minutes < 60 { return "\(minutes):\(tail)" }
    return "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60):\(tail)"
  }
}
