package import CommandLineKit
package import Devices

extension DeviceOptions {
  /// Options of a command that opens a device.
  ///
  /// - Parameter buffer: default of `--buffer`, in words.
  package static func declarations(buffer: String = "10") -> [OptionDeclaration] {
    [
      OptionDeclaration(
        "buffer", .number(1...500, unit: "ms"), group: "Device", default: buffer,
        help: "Time by which device and program may be late without an interruption; each ms is a ms of delay")
    ] + otherDeclarations
  }

  private static let otherDeclarations = [
    OptionDeclaration(
      "period", .number(2...100, unit: "ms"), group: "Device", default: "10",
      help: "Time between two wake-ups of the device"),
    OptionDeclaration(
      "quality", .choice(["fast", "high"]), group: "Device", default: "high",
      help: "Conversion between the device's clock and the program's"),
  ]

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - parsed: the command line.
  ///   - buffer: default of `--buffer`, in milliseconds.
  package init(_ parsed: ParsedArguments, buffer: Double = 10) {
    self.init(
      period: .milliseconds(parsed.number("period") ?? 10), margin: .milliseconds(parsed.number("buffer") ?? buffer),
      quality: parsed.text("quality") == "fast" ? .fast : .high)
  }
}
