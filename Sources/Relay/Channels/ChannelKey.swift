import Signalling

/// Name of a channel within its app: channels of different apps have nothing in common.
struct ChannelKey: Hashable {
  let app: AppID
  let name: ChannelName
}
