package import CommandLineKit
package import Devices

extension DeviceOptions {
  /// Options of every command that opens a device.
  package static let declarations = [
    OptionDeclaration(
      "buffer", .number(1...500, unit: "ms"), group: "Device", default: "10",
      help: "Time by which device and program may be late without an interruption; each ms is a ms of delay"),
    OptionDeclaration(
      "period", .number(2...100, unit: "ms"), group: "Device", default: "10",
      help: "Time between two wake-ups of the device"),
    OptionDeclaration(
      "quality", .choice(["fast", "high"]), group: "Device", default: "high",
      help: "Conversion between the device's clock and the program's"),
  ]

  /// Reads the options.
  package init(_ parsed: ParsedArguments) {
    self.init(
      period: .milliseconds(parsed.number("period") ?? 10), margin: .milliseconds(parsed.number("buffer") ?? 10),
      quality: parsed.text("quality") == "fast" ? .fast : .high)
  }
}
