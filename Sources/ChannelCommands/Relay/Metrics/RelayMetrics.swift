import Engine
import Glibc
import JSON
import NetworkIO
import Platform
import Relay

/// Answers of a relay to monitoring: `/metrics` in the text format of Prometheus, `/bans` and `/healthz`.
///
/// Thread: any.
struct RelayMetrics: Sendable {
  private let relay: RelayServer
  /// Beginning of the relay, in seconds since 1970.
  private let startSeconds: Int

  /// Counts that are packets, although their names do not say it.
  private static let packetCounts: Set = ["forwarded", "retransmitted"]
  private static let prefix = "audiopipe_relay_"

  init(_ relay: RelayServer) {
    self.relay = relay
    startSeconds = time(nil)
  }

  /// Returns the answer to a GET request; nil for an unknown path.
  func answer(_ path: String) -> HTTPAnswer? {
    switch path {
    case "/healthz": relay.health
    case "/metrics":
      HTTPAnswer(
        contentType: PrometheusText.contentType,
        body: Array(Self.text(relay.statistics, isDraining: relay.isDraining, startSeconds: startSeconds).utf8))
    case "/bans":
      HTTPAnswer(
        contentType: "application/json",
        body: Array(Self.list(relay.statistics.bans, unixSeconds: Int64(time(nil))).utf8))
    default: nil
    }
  }

  /// Returns the bans that have not ended, as JSON.
  static func list(_ bans: [RelayBan], unixSeconds: Int64) -> String {
    var json = JSONWriter()
    json.object { json in
      json.array("bans") { json in
        for ban in bans where ban.endSeconds > unixSeconds {
          json.object { json in
            if let app = ban.app { json.field("app", app) }
            if let uid = ban.uid { json.field("uid", Int(uid)) }
            if let account = ban.account { json.field("account", account) }
            if let session = ban.session { json.field("session", session) }
            if let network = ban.network { json.field("network", network) }
            json.field("remaining_s", Int(ban.endSeconds - unixSeconds))
          }
        }
      }
    }
    return json.text + "\n"
  }

  /// Returns the metrics as text.
  static func text(_ statistics: RelayStatistics, isDraining: Bool, startSeconds: Int) -> String {
    var metrics = PrometheusText()
    metrics.append(
      prefix + "build_info", .gauge, 1, "Version of the relay", labels: [("version", AudioPipeline.sdkVersion)])
    metrics.append(prefix + "draining", .gauge, isDraining ? 1 : 0, "Whether the relay takes no new sessions")
    metrics.append(prefix + "connections", .gauge, statistics.connections, "Connections with signalling")
    metrics.append(
      prefix + "sessions", .gauge, statistics.sessions, "Sessions, with those that wait for another connection")
    metrics.append(prefix + "channels", .gauge, statistics.channels, "Channels with at least one user")
    metrics.append(prefix + "transports", .gauge, statistics.transports, "Media connections")
    metrics.append(
      prefix + "banned", .gauge, statistics.banned, "Users, sessions and addresses that are kept out after a ban")
    for (name, value, help) in statistics.counters.described {
      let unit = packetCounts.contains(name) ? "_packets" : ""
      metrics.append(
        prefix + String(name.map { $0 == "-" ? "_" : $0 }) + unit + "_total", .counter, value, help)
    }
    metrics.append(
      prefix + "join_seconds", statistics.counters.joinTimes, "Times from a join request to the connection of its media"
    )
    metrics.append(
      prefix + "forwarding_seconds", statistics.counters.forwardingDelays,
      "Times from the arrival of a packet to its way to the listeners; packets of a burst have that of the first")
    let workers = statistics.workers
    metrics.append(
      prefix + "worker_transports", .gauge, workers.map { Double($0.transports) }, "Media connections of each worker",
      label: "worker")
    metrics.append(
      prefix + "worker_packets_total", .counter, workers.map { Double($0.packets) },
      "Packets of publishers that each worker has decrypted", label: "worker")
    metrics.append(
      prefix + "worker_forwarded_packets_total", .counter, workers.map { Double($0.forwarded) },
      "Packets that each worker has sent to listeners", label: "worker")
    metrics.append(
      prefix + "worker_cpu_seconds_total", .counter, workers.map { Double($0.processorNanoseconds) / 1e9 },
      "Processor time of the thread of each worker; a single one shares the relay's thread", label: "worker")
    appendProcess(to: &metrics, startSeconds: startSeconds)
    return metrics.text
  }

  /// Appends the metrics that every process has, under their usual names.
  private static func appendProcess(to metrics: inout PrometheusText, startSeconds: Int) {
    let resources = ProcessResources()
    metrics.append(
      "process_cpu_seconds_total", .counter, resources.processorSeconds, "Processor time of all threads in seconds")
    metrics.append(
      "process_start_time_seconds", .gauge, startSeconds, "Beginning of the relay in seconds since 1970")
    if let count = resources.residentBytes {
      metrics.append("process_resident_memory_bytes", .gauge, count, "Memory in RAM in bytes")
    }
    if let count = resources.descriptorCount {
      metrics.append("process_open_fds", .gauge, count, "Open file descriptors")
    }
    if let count = resources.largestDescriptorCount {
      metrics.append("process_max_fds", .gauge, count, "Most open file descriptors")
    }
  }
}
