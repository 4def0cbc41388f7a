import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { headObject, type S3Object, sendBounded, toUnavailable } from "./s3-request";
import type { DirectAccess } from "./storage";

const CHECKSUM_HEADER = "x-amz-checksum-sha256";

interface Bucket {
  client: S3Client;
  /** Returns where a key of the storage is. */
  toObject: (key: string) => S3Object;
  /** Returns where staged content is: apart from everything that the hub serves. */
  toStaged: (id: string) => S3Object;
}

/** Opens direct access of clients to a bucket, by signed requests. */
export function openDirectAccess({ client, toObject, toStaged }: Bucket): DirectAccess {
  return {
    async signUpload(id, { size, sha256 }, seconds) {
      const checksum = sha256.toString("base64");
      const command = new PutObjectCommand({ ...toStaged(id), ChecksumSHA256: checksum, ContentLength: size });
      // Storages check the hash as a header; some ignore it as a query parameter.
      const url = await getSignedUrl(client, command, {
        expiresIn: seconds,
        unhoistableHeaders: new Set([CHECKSUM_HEADER]),
      });
      return { url, headers: { [CHECKSUM_HEADER]: checksum } };
    },

    async measureStaged(id) {
      return (await headObject(client, toStaged(id)))?.ContentLength ?? null;
    },

    async publish(id, key) {
      const { Bucket, Key } = toStaged(id);
      const source = `${Bucket}/${Key}`.split("/").map(encodeURIComponent).join("/");
      const command = new CopyObjectCommand({ ...toObject(key), CopySource: source, ChecksumAlgorithm: "SHA256" });
      const { CopyObjectResult: result } = await client.send(command).catch((error: unknown) => {
        throw toUnavailable(error);
      });
      if (!result?.ETag) throw toUnavailable(new Error("the copy has no ETag"));
    },

    async removeStaged(id) {
      await sendBounded((options) => client.send(new DeleteObjectCommand(toStaged(id)), options));
    },

    signDownload: (key, { type, disposition }, seconds) =>
      getSignedUrl(
        client,
        new GetObjectCommand({ ...toObject(key), ResponseContentType: type, ResponseContentDisposition: disposition }),
        { expiresIn: seconds },
      ),
  };
}
