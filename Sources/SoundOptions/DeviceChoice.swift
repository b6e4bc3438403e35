import AudioFiles
package import AudioGraph
package import CommandLineKit
package import Devices
package import Engine
import Glibc
import Platform

/// The device that `--device` names.
package enum DeviceChoice: Hashable, Sendable {
  /// A device of the machine, by an ALSA name.
  case system(String)
  /// A device that gives silence, or takes sound without playing it.
  case null
  /// A file in place of a device, in real time.
  case file(String)
  /// A simulated device.
  case virtual(VirtualSettings)

  /// Settings of a simulated device.
  package struct VirtualSettings: Hashable, Sendable {
    var skewPartsPerMillion = 0.0
    var sampleRate = 48_000
    /// Tone of the microphone, in Hz; 0: silence.
    var tone = 0.0
    var latenessMilliseconds = 0.0
  }

  package static let syntax = KeyValueSyntax(
    head: .choice(["virtual"]),
    keys: [
      KeyValueSyntax.Key(name: "ppm", value: .number(-1_000...1_000, unit: nil)),
      KeyValueSyntax.Key(name: "rate", value: .integer(8_000...192_000)),
      KeyValueSyntax.Key(name: "tone", value: .number(0...20_000, unit: "Hz")),
      KeyValueSyntax.Key(name: "late", value: .number(0...1_000, unit: "ms")),
    ])

  package static let help =
    "Device: an id of 'audiopipe devices' or any ALSA name; null; file:PATH; \(syntax.syntax) for a simulated one"

  /// Reads the value of an option.
  ///
  /// - Throws: exit code 64 for keys that do not exist.
  package init(_ text: String, option: String) throws(CommandFailure) {
    if text == "null" {
      self = .null
    } else if text.hasPrefix("file:") {
      let path = String(text.dropFirst("file:".count))
      guard !path.isEmpty else { throw .usage("\(option) names no file; write file:PATH") }
      self = .file(path)
    } else if text == "virtual" || text.hasPrefix("virtual:") {
      // 'virtual:' alone is the plain device.
      let value = try KeyedParser(subject: "option '\(option)'", kind: Self.syntax)
        .parse(text == "virtual:" ? "virtual" : text)
      self = .virtual(
        VirtualSettings(
          skewPartsPerMillion: value.number("ppm") ?? 0, sampleRate: value.integer("rate") ?? 48_000,
          tone: value.number("tone") ?? 0, latenessMilliseconds: value.number("late") ?? 0))
    } else {
      guard !text.isEmpty else { throw .usage("\(option) names no device; 'audiopipe devices' lists them") }
      self = .system(text)
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
    case .system(let id):
      try pipeline.setLocalSource(.device(id, channelCount: channelCount, options: options))
    case .file(let path): try pipeline.setLocalSource(.file(path))
    case .null, .virtual:
      try pipeline.setLocalSource(
        .device("virtual", of: devices(.capture), channelCount: channelCount, options: options))
    }
  }

  /// Lets a pipeline play through this device.
  package func addSink(
    to pipeline: AudioPipeline, at position: SinkPosition, options: DeviceOptions, overwrites: Bool
  ) throws -> any AudioSink {
    switch self {
    case .system(let id): try pipeline.addSink(.device(id, options: options), at: position)
    case .file(let path): try pipeline.addSink(.file(path, overwrite: overwrites), at: position)
    case .null, .virtual:
      try pipeline.addSink(.device("virtual", of: devices(.playout), options: options), at: position)
    }
  }

  /// Returns a simulated system with one device, on the system's clock.
  private func devices(_ direction: AudioDirection) -> VirtualDevices {
    let devices = VirtualDevices(liveClock: SystemClock())
    var settings = VirtualSettings()
    if case .virtual(let chosen) = self { settings = chosen }
    devices.plug(
      VirtualDevice(
        id: "virtual", direction: direction, sampleRate: settings.sampleRate,
        channelCount: direction == .capture ? 1 : 2, skewPartsPerMillion: settings.skewPartsPerMillion,
        lateness: .milliseconds(settings.latenessMilliseconds)))
    if settings.tone > 0 {
      let step = 2 * Double.pi * settings.tone
      devices.setSignal(of: "virtual") { Float(0.5 * sin(step * $0)) }
    }
    return devices
  }
}
