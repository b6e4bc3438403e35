import Devices
import Engine
import FrameObservers
package import JSON
import MediaStreams
import Metering
import Platform
package import Recordings

extension VolumeReport {
  func write(_ json: inout JSONWriter) {
    json.field("side", side == .local ? "local" : "remote")
    json.field("total_volume", totalVolume)
    json.array("speakers") { json in
      for speaker in speakers {
        json.object { json in
          json.field("uid", Int(speaker.uid))
          json.field("volume", speaker.volume)
          guard side == .local else { return }
          json.field("vad", speaker.vad)
          json.field("f0_hz", speaker.voicePitch, decimals: 2)
        }
      }
    }
  }
}

extension RemoteAudioChange {
  func write(_ json: inout JSONWriter) {
    json.field("uid", Int(speaker.uid))
    json.field("state", state.rawValue)
    json.field("reason", reason.rawValue)
    json.field("elapsed_ms", elapsedMilliseconds)
  }
}

extension DeviceStateChange {
  func write(_ json: inout JSONWriter) {
    json.field("id", id)
    json.field("direction", direction == .capture ? "capture" : "playout")
    json.field("state", state.rawValue)
  }
}

extension RecordingStart {
  /// Writes the fields of the file's beginning.
  package func write(_ json: inout JSONWriter) {
    json.field("path", path)
    json.field("sample", samplePosition)
    json.field("sample_rate", sampleRate)
    if let time { json.field("utc", "\(time)") }
  }
}

extension RemoteAudioStatistics {
  func write(_ json: inout JSONWriter) {
    json.field("uid", Int(speaker.uid))
    json.field("quality", quality.rawValue)
    json.field("network_transport_delay_ms", orNull: networkTransportDelayMilliseconds)
    json.field("jitter_buffer_delay_ms", jitterBufferDelayMilliseconds, decimals: 3)
    json.field("loss_percent", orNull: loss.map { 100 * $0 })
    json.field("channels", channelCount)
    json.field("sample_rate", sampleRate)
    json.field("received_kbit_s", receivedKilobitsPerSecond, decimals: 3)
    json.field("total_frozen_ms", totalFrozenMilliseconds)
    json.field("frozen_percent", 100 * frozenShare, decimals: 3)
    json.field("total_active_ms", totalActiveMilliseconds)
    json.field("publish_ms", publishMilliseconds)
    json.field("mos", mos)
  }
}

extension LocalAudioStatistics {
  func write(_ json: inout JSONWriter) {
    json.field("channels", channelCount)
    json.field("sample_rate", sampleRate)
    json.field("sent_kbit_s", sentKilobitsPerSecond, decimals: 3)
    json.field("codec", codec)
    json.field("loss_percent", orNull: loss.map { 100 * $0 })
    json.field("audio_device_delay_ms", orNull: audioDeviceDelayMilliseconds)
    json.field("audio_playout_delay_ms", orNull: audioPlayoutDelayMilliseconds)
  }
}

extension CallStatistics {
  func write(_ json: inout JSONWriter) {
    json.field("duration_s", Double(durationMilliseconds) / 1_000, decimals: 3)
    json.field("tx_bytes", sentBytes)
    json.field("rx_bytes", receivedBytes)
    json.field("tx_kbit_s", sentKilobitsPerSecond, decimals: 3)
    json.field("rx_kbit_s", receivedKilobitsPerSecond, decimals: 3)
    json.field("tx_loss_percent", orNull: sentLoss.map { 100 * $0 })
    json.field("rx_loss_percent", orNull: receivedLoss.map { 100 * $0 })
    json.field("users", userCount)
    json.field("last_mile_delay_ms", orNull: lastMileDelayMilliseconds)
    // They differ from run to run, as all figures under this key do.
    guard let use = processorUse else { return }
    json.object("cost") { json in
      json.field("cpu_process_percent", 100 * use.process, decimals: 1)
      json.field("cpu_system_percent", orNull: use.system.map { 100 * $0 })
    }
  }
}

extension NetworkQualityReport {
  func write(_ json: inout JSONWriter) {
    json.field("uid", Int(uid))
    json.field("tx", sent.rawValue)
    json.field("rx", received.rawValue)
  }
}

extension JSONWriter {
  /// Writes a number, or null if it is unknown.
  fileprivate mutating func field(_ name: String, orNull number: Double?) {
    key(name)
    if let number { value(number, decimals: 3) } else { null() }
  }
}
