import CommandLineKit
import Devices

/// The list of devices for people.
struct DeviceTable {
  let devices: [AudioDevice]
  let style: TerminalStyle

  var text: String {
    var text = ""
    for (direction, heading) in [(AudioDirection.capture, "Capture"), (.playout, "Playout")] {
      let rows = devices.filter { $0.direction == direction }
      if !text.isEmpty { text += "\n" }
      text += style.heading(heading) + "\n"
      if rows.isEmpty { text += "  none\n" }
      let width = rows.map(\.id.count).max() ?? 0
      for device in rows {
        let padding = String(repeating: " ", count: width - device.id.count)
        text += "\(device.isDefault ? "*" : " ") \(device.id)\(padding)  \(description(of: device))\n"
      }
    }
    return text
  }

  private func description(of device: AudioDevice) -> String {
    var parts = [device.name == device.id ? "" : device.name]
    if let rates = device.sampleRates { parts.append(span(rates, "Hz")) }
    if let counts = device.channelCounts { parts.append(span(counts, counts.upperBound == 1 ? "channel" : "channels")) }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func span(_ range: ClosedRange<Int>, _ unit: String) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound) \(unit)" : "\(range.lowerBound) to \(range.upperBound) \(unit)"
  }
}
