import AudioFiles
package import AudioGraph
package import CommandLineKit
package import Devices
package import Engine

/// The device that `--device` names.
package enum DeviceChoice: Hashable, Sendable {
  /// A device of the machine, by an ALSA name, or one without hardware.
  case device(String)
  /// A file in place of a device, in real time.
  case file(String)

  package static let syntax = KeyValueSyntax(
    head: .choice(["virtual"]),
    keys: [
      KeyValueSyntax.Key(name: "ppm", value: .number(NamedDevice.ppm, unit: nil)),
      KeyValueSyntax.Key(name: "rate", value: .integer(NamedDevice.rate)),
      KeyValueSyntax.Key(name: "tone", value: .number(NamedDevice.tone, unit: "Hz")),
      KeyValueSyntax.Key(name: "late", value: .number(NamedDevice.late, unit: "ms")),
    ])

  package static let help =
    "Device: an id of 'audiopipe devices' or any ALSA name; null; file:PATH; \(syntax.syntax) for a simulated one"

  /// Reads the value of an option.
  ///
  /// - Throws: exit code 64 for keys that do not exist.
  package init(_ text: String, option: String) throws(CommandFailure) {
    if text.hasPrefix("file:") {
      let path = String(text.dropFirst("file:".count))
      guard !path.isEmpty else { throw .usage("\(option) names no file; write file:PATH") }
      self = .file(path)
    } else if text == "virtual" || text.hasPrefix("virtual:") {
      // 'virtual:' alone is the plain device.
      let text = text == "virtual:" ? "virtual" : text
      _ = try KeyedParser(subject: "option '\(option)'", kind: Self.syntax).parse(text)
      self = .device(text)
    } else {
      guard !text.isEmpty else { throw .usage("\(option) names no device; 'audiopipe devices' lists them") }
      self = .device(text)
    }
  }

  /// Path of the file in place of a device; nil for a device.
  package var filePath: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Gives a pipeline this device as its local source.
  package func setSource(of pipeline: AudioPipeline, channelCount: Int, options: DeviceOptions) throws
    -> any AudioSource
  {
    switch self {
    case .device(let id): try pipeline.setLocalSource(.device(id, channelCount: channelCount, options: options))
    case .file(let path): try pipeline.setLocalSource(.file(path))
    }
  }

  /// Lets a pipeline play through this device.
  package func addSink(
    to pipeline: AudioPipeline, at position: SinkPosition, options: DeviceOptions, overwrites: Bool
  ) throws -> any AudioSink {
    switch self {
    case .device(let id): try pipeline.addSink(.device(id, options: options), at: position)
    case .file(let path): try pipeline.addSink(.file(path, overwrite: overwrites), at: position)
    }
  }
}
