/** What the hub calls itself to customers: as the owner of its models, in errors of chats, in e-mail. */
export const HUB_NAME = "Generation Hub";
