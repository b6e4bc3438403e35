package import CommandLineKit
import Devices
import JSON

/// `audiopipe devices`: lists the sound devices.
package enum DevicesCommand {
  package static let declaration = CommandDeclaration(
    name: "devices",
    summary: "List sound devices",
    examples: ["audiopipe devices", "audiopipe devices --json | jq -r '.devices[].id'"],
    notes: [
      "An id is what --device of 'record' and 'play' takes. The default device is the one of programs that name none. Plugins "
        + "that convert or share another device's sound are hidden unless --all is given."
    ],
    options: [
      OptionDeclaration("all", short: "a", group: "Output", help: "Include plugins that convert another device's sound")
    ] + CommonOptions.declarations)

  /// Prints the devices.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    _ = try CommonOptions(parsed)
    let devices = AudioDevices.all(includingConverters: parsed.has("all"))
    if parsed.has("json") {
      try console.output.writeDocument { write(&$0, devices) }
    } else if devices.isEmpty {
      console.log.info(
        "this machine has no sound device; files, streams and channels work without one, and --device null stands in for one"
      )
    } else {
      try console.output.write(DeviceTable(devices: devices, style: console.outputStyle).text)
    }
    return .success
  }

  private static func write(_ json: inout JSONWriter, _ devices: [AudioDevice]) {
    json.field("schema", 1)
    json.array("devices") { json in
      for device in devices {
        json.object { json in
          json.field("id", device.id)
          json.field("name", device.name)
          json.field("direction", device.direction == .capture ? "capture" : "playout")
          write(&json, "rates", device.sampleRates)
          write(&json, "channels", device.channelCounts)
          json.field("default", device.isDefault)
          json.field("converter", device.isConverter)
        }
      }
    }
  }

  /// Writes a range as its two ends, or null.
  private static func write(_ json: inout JSONWriter, _ key: String, _ range: ClosedRange<Int>?) {
    guard let range else {
      json.key(key)
      return json.null()
    }
    json.array(key) { json in
      json.value(range.lowerBound)
      json.value(range.upperBound)
    }
  }
}
